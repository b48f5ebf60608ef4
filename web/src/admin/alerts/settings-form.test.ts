import type { AlertSettings } from '@trunkline/contract/alerts'
import { describe, expect, it } from 'vitest'
import { viewersZone } from '../../common/format/viewer.ts'
import { changeOf, draftOf, validateSettings } from './settings-form.ts'

const settings: AlertSettings = {
  large_top_up: 500,
  low_balance: null,
  unusual_spend_times: 2.5,
  unusual_spend_least: 50,
  failed_sign_ins_account: 5,
  failed_sign_ins_address: 20,
  mail_to: ['a@example.com'],
  mail_topics: ['trunk_down', 'large_top_up'],
  weekly_report_timezone: null,
  version: 7,
  updated_at: null,
  updated_by: null,
}
const draft = draftOf(settings)

describe('the form of the alert settings', () => {
  it('sends only what was changed, with the version that was read', () => {
    expect(changeOf(draft, settings)).toBeNull()
    expect(changeOf({ ...draft, mail_topics: ['large_top_up', 'trunk_down'] }, settings)).toBeNull()
    const typed = {
      ...draft,
      large_top_up: '',
      low_balance: '4.5',
      mail_to: 'A@example.com; b@example.com\n',
    }
    expect(changeOf(typed, settings)).toEqual({
      version: 7,
      large_top_up: null,
      low_balance: 4.5,
      mail_to: ['a@example.com', 'b@example.com'],
    })
  })

  it('turns the weekly report on in the time zone of the viewer, and keeps a zone that was set', () => {
    expect(changeOf({ ...draft, weekly_report: true }, settings)).toEqual({
      version: 7,
      weekly_report_timezone: viewersZone(),
    })
    const on = { ...settings, weekly_report_timezone: 'Asia/Kolkata' }
    expect(changeOf(draftOf(on), on)).toBeNull()
    expect(changeOf({ ...draftOf(on), weekly_report: false }, on)).toEqual({
      version: 7,
      weekly_report_timezone: null,
    })
  })

  it('rejects invalid values and accepts empty thresholds', () => {
    expect(validateSettings(draft)).toEqual({})
    expect(validateSettings({ ...draft, large_top_up: '', failed_sign_ins_account: '' })).toEqual({})
    const wrong = {
      large_top_up: '-1',
      low_balance: 'x',
      unusual_spend_times: '0.5',
      unusual_spend_least: '',
    }
    const names = Object.keys(
      validateSettings({ ...draft, ...wrong, failed_sign_ins_account: '1.5', mail_to: 'nowhere' }),
    )
    expect(names.sort()).toEqual([...Object.keys(wrong), 'failed_sign_ins_account', 'mail_to'].sort())
  })
})
