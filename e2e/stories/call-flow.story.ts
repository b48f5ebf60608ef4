import { expectNoViolations } from '../support/axe.ts'
import { passReception } from '../support/call-flows.ts'
import { expect, LONDON, signIn, test } from '../support/calls.ts'
import { callNumber, rentedNumber } from '../support/numbers.ts'
import { closeSounds } from '../support/sounds.ts'

test.afterAll(closeSounds)

test('a customer follows a call through a flow, step by step', async ({
  page,
  request,
  caller,
  callEnds,
}) => {
  const offered = await rentedNumber(request, caller)
  await callNumber(request, offered, { from: '+493012345678', name: 'Anna Berlin', code: 200 })
  await callEnds({ to: LONDON })
  await signIn(page, caller, '/dashboard/cdr-report')
  const rows = page.getByRole('row', { name: /^Details of/ })
  await expect(rows).toHaveCount(2)
  await passReception(request, caller)

  await page.goto('/dashboard/cdr-report?direction=in')
  await expect(rows).toHaveCount(1)
  await rows.getByRole('link', { name: /^Details of/ }).click()
  const flow = page.getByRole('dialog', { name: /Call from/ }).getByRole('region', { name: 'Flow' })
  await expect(flow).toContainText('Reception, version 1')
  await expect(flow.getByRole('listitem')).toHaveText([
    /^0:00Opening hours.*Open$/,
    /^0:00Welcome.*Keys 91.*Key 1$/,
    /^0:04Ring.*No answerNobody answers\..*\$0\.\d+.*Show this leg$/,
    /^0:29Voicemail.*After the messageThe caller leaves a message of 12 seconds\.$/,
    /^0:44Hang up$/,
  ])
  await expect(flow).toContainText('The flow hangs up.')
  await expectNoViolations(page, '[role="dialog"]')

  await flow.getByRole('button', { name: 'Show this leg' }).click()
  const leg = page.getByRole('dialog', { name: /Call to/ })
  await expect(leg).toContainText('Price breakdown')
  await expect(leg.getByRole('region', { name: 'Flow' })).toBeHidden()
})
