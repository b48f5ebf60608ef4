import { ArrowRight, RefreshCw, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Avatar } from '../../ui/Avatar.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Lamp } from '../../ui/Lamp.tsx'
import { Logo, Wordmark } from '../../ui/Logo.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import { Select } from '../../ui/Select.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
import { TrunkLine } from '../../ui/TrunkLine.tsx'

/** Every primitive in each of its states. Dialog, toast and tooltip are in DevUi. */
export function Samples({ theme }: { theme: string }) {
  return (
    <div className="grid gap-4">
      <Marks />
      <Buttons />
      <Controls />
      <Messages />
      <Signs />
      <Tables theme={theme} />
      <TabsSample />
      <Waiting />
    </div>
  )
}

function Sample({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <CardHeader title={title} />
      <div className="grid gap-4">{children}</div>
    </Card>
  )
}

const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3">{children}</div>
)

const surfaces = ['bg-sunken', 'bg-ground', 'bg-surface', 'bg-raised']
const inks = [
  'text-ink',
  'text-muted',
  'text-faint',
  'text-signal-ink',
  'text-pending',
  'text-danger',
  'text-success',
]

function Marks() {
  return (
    <Sample title="Marks, surfaces and inks">
      <Row>
        <Logo size={20} />
        <Logo size={28} />
        <Logo size={48} />
        <Wordmark name="Trunkline" />
      </Row>
      <TrunkLine
        lamps={[
          { lit: 'off' },
          { lit: 'signal' },
          { lit: 'off' },
          { lit: 'signal', pulse: true },
          { lit: 'pending' },
        ]}
      />
      <div className="grid gap-2">
        {surfaces.map((surface) => (
          <div
            key={surface}
            className={`flex flex-wrap gap-x-4 rounded-md border px-3 py-2 text-sm ${surface}`}
          >
            {inks.map((ink) => (
              <span key={ink} className={ink}>
                {ink.slice(5)}
              </span>
            ))}
          </div>
        ))}
      </div>
      <p className="font-medium text-5xl tracking-tight figures">$1,284.50</p>
      <p className="font-mono text-sm">sip:northwind@198.51.100.7:5060</p>
    </Sample>
  )
}

function Buttons() {
  return (
    <Sample title="Button">
      {(['primary', 'secondary', 'ghost', 'danger'] as const).map((variant) => (
        <Row key={variant}>
          <Button variant={variant} size="sm">
            Small
          </Button>
          <Button variant={variant}>
            {variant === 'danger' ? <Trash2 aria-hidden /> : <RefreshCw aria-hidden />}
            Medium
          </Button>
          <Button variant={variant} size="lg">
            Large
          </Button>
          <Button variant={variant} busy>
            Busy
          </Button>
          <Button variant={variant} disabled>
            Disabled
          </Button>
        </Row>
      ))}
      <Row>
        <a href="#top" className={buttonClass({ variant: 'secondary' })}>
          Read the guide <ArrowRight aria-hidden />
        </a>
      </Row>
    </Sample>
  )
}

function Controls() {
  return (
    <Sample title="Field, Input, Textarea, PasswordInput, Select">
      <Field label="Company">
        <Input placeholder="Northwind Ltd" />
      </Field>
      <Field label="Host" hint="The address your PBX calls from, or dynamic.">
        <Input defaultValue="198.51.100.7" className="font-mono" />
      </Field>
      <Field label="Email address" error="Please enter a valid email address">
        <Input defaultValue="someone@" />
      </Field>
      <Field label="Password">
        <PasswordInput defaultValue="correct horse" autoComplete="off" />
      </Field>
      <Field label="Period">
        <Select defaultValue="week">
          <option value="today">Today</option>
          <option value="week">This Week</option>
        </Select>
      </Field>
      <Field label="Message" optional>
        <Textarea rows={2} />
      </Field>
      <Field label="Disabled">
        <Input disabled defaultValue="cannot be changed" />
      </Field>
    </Sample>
  )
}

function Messages() {
  return (
    <Sample title="Notice">
      <Notice tone="danger">Unable to connect to server. Please check your internet connection.</Notice>
      <Notice tone="success">Your password has been changed.</Notice>
      <Notice tone="pending">$3.72 is held for live calls.</Notice>
      <Notice tone="info">A Caller ID must be added before calling.</Notice>
    </Sample>
  )
}

const people = ['Ada Lovelace', 'northwind', 'sip.user+7', 'Ünal Çelik', '山田', 'Grace Hopper', 'x']

function Signs() {
  return (
    <Sample title="Badge, Lamp, Avatar">
      <Row>
        <Badge>Neutral</Badge>
        <Badge tone="signal">Premium</Badge>
        <Badge tone="pending">Pending</Badge>
        <Badge tone="danger">Failed</Badge>
        <Badge tone="success">Completed</Badge>
      </Row>
      <Row>
        <Lamp lit="signal" label="Live" />
        <Lamp lit="signal" pulse label="Ringing" />
        <Lamp lit="pending" label="Held" />
        <Lamp lit="danger" label="Failed" />
        <Lamp label="Idle" />
      </Row>
      <Row>
        {people.map((name) => (
          <Avatar key={name} name={name} size={40} />
        ))}
        <Avatar name="Ada Lovelace" size={100} />
      </Row>
    </Sample>
  )
}

const rows = [
  { destination: '+442079460321', duration: '02:14', cost: '$0.03', tone: 'success', status: 'Completed' },
  { destination: '+12125550142', duration: '00:00', cost: '$0.00', tone: 'danger', status: 'Failed' },
  { destination: '+493023125614', duration: '12:40', cost: '$0.22', tone: 'pending', status: 'Busy' },
] as const

function Tables({ theme }: { theme: string }) {
  return (
    <Sample title="Table">
      <Table label={`Sample calls, ${theme}`}>
        <THead>
          <Tr>
            <Th>Destination</Th>
            <Th numeric>Duration</Th>
            <Th numeric>Cost</Th>
            <Th>Status</Th>
          </Tr>
        </THead>
        <TBody>
          {rows.map((row) => (
            <Tr key={row.destination}>
              <Td className="font-mono">{row.destination}</Td>
              <Td numeric>{row.duration}</Td>
              <Td numeric>{row.cost}</Td>
              <Td>
                <Badge tone={row.tone}>{row.status}</Badge>
              </Td>
            </Tr>
          ))}
        </TBody>
      </Table>
    </Sample>
  )
}

function TabsSample() {
  return (
    <Sample title="Tabs">
      <Tabs defaultValue="in">
        <TabList aria-label="Sample tabs">
          <Tab value="in">Sign In</Tab>
          <Tab value="up">Sign Up</Tab>
          <Tab value="off" disabled>
            Disabled
          </Tab>
        </TabList>
        <TabPanel value="in">What stands under the first tab.</TabPanel>
        <TabPanel value="up">What stands under the second.</TabPanel>
      </Tabs>
    </Sample>
  )
}

function Waiting() {
  return (
    <Sample title="Skeleton, Spinner, EmptyState">
      <div className="grid gap-2">
        <Skeleton className="h-8 w-40" />
        <Skeleton className="w-full" />
        <Skeleton className="w-2/3" />
      </div>
      <Spinner label="Loading" />
      <EmptyState
        title="No active calls"
        text="They appear here as they ring."
        action={<Button size="sm">Make test Call</Button>}
      />
    </Sample>
  )
}
