import { describe, expect, it } from 'vitest'
import {
  formatCalendarDate,
  formatDate,
  formatDateTime,
  formatDateTimeWithZone,
  formatDay,
  formatHour,
  formatLocalHour,
  formatMonth,
  formatMonthYear,
  formatTime,
  formatTimeWithSeconds,
  formatUtc,
} from './dates.ts'
import { localeFor } from './viewer.ts'

const from = (language: string, timeZone = 'UTC') => ({ locale: localeFor(language), timeZone })
const AFTERNOON = '2026-11-16T15:09:05.120Z'

describe('dates and times', () => {
  it.each([
    ['en-US', 'Nov 16, 2026', '3:09 PM', '3 PM'],
    ['en-GB', '16 Nov 2026', '15:09', '15:09'],
    ['de-DE', '16 Nov 2026', '15:09', '15:09'],
    ['de', '16 Nov 2026', '15:09', '15:09'],
    ['en-IN', '16 Nov 2026', '3:09 pm', '3 pm'],
    ['ja-JP', 'Nov 16, 2026', '15:09', '15:09'],
    // Their calendars and digits differ from ours.
    ['th-TH', 'Nov 16, 2026', '3:09 PM', '3 PM'],
    ['ar-SA', 'Nov 16, 2026', '3:09 PM', '3 PM'],
    ['not a language', 'Nov 16, 2026', '3:09 PM', '3 PM'],
  ])('are in English and follow the region of %s', (language, date, time, hour) => {
    const viewer = from(language)
    expect(formatDate(AFTERNOON, viewer)).toBe(date)
    expect(formatTime(AFTERNOON, viewer)).toBe(time)
    expect(formatDateTime(AFTERNOON, viewer)).toBe(`${date}, ${time}`)
    expect(formatHour(AFTERNOON, viewer)).toBe(hour)
  })

  it('follow the time zone of the viewer, with its date', () => {
    const late = '2026-12-31T23:30:00Z'
    expect(formatDateTime(late, from('en-US', 'America/New_York'))).toBe('Dec 31, 2026, 6:30 PM')
    expect(formatDateTime(late, from('en-US', 'Asia/Kolkata'))).toBe('Jan 1, 2027, 5:00 AM')
    expect(formatDateTime(late, from('en-US', 'Pacific/Kiritimati'))).toBe('Jan 1, 2027, 1:30 PM')
  })

  it('skip an hour in spring and repeat one in autumn', () => {
    const berlin = from('en-GB', 'Europe/Berlin')
    const times = (moments: string[]) => moments.map((moment) => formatTime(moment, berlin))
    expect(times(['2026-03-29T00:59:00Z', '2026-03-29T01:00:00Z'])).toEqual(['01:59', '03:00'])
    expect(times(['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'])).toEqual(['02:30', '02:30'])
  })

  it('have seconds or the zone where they matter', () => {
    const viewer = from('en-US')
    expect(formatTimeWithSeconds(AFTERNOON, viewer)).toBe('3:09:05 PM')
    expect(formatDateTimeWithZone(AFTERNOON, viewer)).toBe('November 16, 2026 at 3:09 PM UTC')
    expect(formatDateTimeWithZone('2026-07-16T15:09:05Z', from('en-US', 'America/New_York'))).toBe(
      'July 16, 2026 at 11:09 AM EDT',
    )
    expect(formatUtc(AFTERNOON)).toBe('2026-11-16 15:09:05.120Z')
  })

  it('use plain spaces only', () => {
    expect(formatDateTime(AFTERNOON, from('en-US'))).not.toMatch(/[\u00a0\u202f]/)
  })

  it('show a dash for a missing or invalid moment', () => {
    for (const moment of [null, undefined, '', 'yesterday']) expect(formatDateTime(moment)).toBe('–')
  })
})

it('a local time stays the same in every time zone', () => {
  expect(formatLocalHour('2026-11-15T14:00', from('en-US', 'Pacific/Honolulu'))).toBe('2 PM')
  expect(formatLocalHour('2026-11-15T00:00', from('de-DE', 'Asia/Tokyo'))).toBe('00:00')
})

describe('calendar days and months', () => {
  it('stay the same in every time zone', () => {
    for (const timeZone of ['Pacific/Honolulu', 'UTC', 'Pacific/Kiritimati']) {
      const viewer = from('en-US', timeZone)
      expect(formatDay('2026-11-15', viewer)).toBe('Nov 15')
      expect(formatCalendarDate('2026-11-15', viewer)).toBe('Nov 15, 2026')
      expect(formatMonth('2026-11', viewer)).toBe('Nov')
      expect(formatMonthYear('2026-11', viewer)).toBe('Nov 2026')
    }
  })

  it('follow the order of the region', () => {
    expect(formatDay('2026-11-15', from('fr-FR'))).toBe('15 Nov')
    expect(formatCalendarDate('2026-11-15', from('fr-FR'))).toBe('15 Nov 2026')
  })
})
