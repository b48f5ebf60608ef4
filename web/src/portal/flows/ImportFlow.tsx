import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Upload } from 'lucide-react'
import { useRef } from 'react'
import { ApiError, explain } from '../../app/api.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import { createFlow } from './create-flow.ts'
import { FlowFileInput } from './FlowFileInput.tsx'
import { readFlowFile } from './model/file.ts'

const FAILED = 'The flow could not be imported.'

/** Creates a flow from an exported file and opens it. */
export function ImportFlow() {
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const load = useMutation({
    mutationFn: async (file: File) => {
      const read = readFlowFile(await file.text(), file.name)
      if (typeof read === 'string') throw new ApiError(read)
      return createWithFreeName(read.name, read.flow)
    },
    onSuccess: ({ id, name }) => {
      toast.success(`“${name}” was imported as a draft.`)
      const isStillOpen = input.current !== null
      if (isStillOpen) void navigate({ to: '/dashboard/flows/$id', params: { id: String(id) } })
    },
    onError: (error) => toast.error(explainImport(error)),
  })
  return (
    <>
      <Button busy={load.isPending} onClick={() => input.current?.click()}>
        <Upload aria-hidden />
        Import
      </Button>
      <FlowFileInput ref={input} onFile={(file) => load.mutate(file)} />
    </>
  )
}

/** A name that is taken gets a number. */
async function createWithFreeName(name: string, flow: Parameters<typeof createFlow>[1]) {
  for (let number = 2; ; number += 1) {
    try {
      return await createFlow(number === 2 ? name : `${name.slice(0, 95)} ${number - 1}`, flow)
    } catch (error) {
      const isTaken = error instanceof ApiError && error.code === 'name_taken'
      if (!isTaken || number > 20) throw error
    }
  }
}

/** Names the field that the server refused. */
export function explainImport(error: unknown): string {
  const field = error instanceof ApiError ? error.fields[0] : undefined
  return field ? `${FAILED} ${field.field.replace(/^flow\./, '')}: ${field.message}` : explain(error, FAILED)
}
