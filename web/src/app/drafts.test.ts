import { beforeEach, expect, it } from 'vitest'
import { draftKey, forgetDraftsSetAside, restoreDrafts, setDraftsAside } from './drafts.ts'
import { forgetPersonalData, queryClient } from './query-client.ts'

const [alice, bob] = [1, 2]
const draft = () => queryClient.getQueryData(draftKey('reply 7'))

beforeEach(() => {
  queryClient.clear()
  forgetDraftsSetAside()
  queryClient.setQueryData(draftKey('reply 7'), { message: 'Half a sentence' })
  queryClient.setQueryData(['tickets'], ['of alice'])
  setDraftsAside(alice)
  forgetPersonalData()
})

it('nobody reads a draft after the session has ended', () => {
  expect(draft()).toBeUndefined()
})

it('the same user gets the drafts back, and nothing else', () => {
  restoreDrafts(alice)
  expect(draft()).toEqual({ message: 'Half a sentence' })
  expect(queryClient.getQueryData(['tickets'])).toBeUndefined()
})

it('another user deletes the drafts by signing in', () => {
  restoreDrafts(bob)
  expect(draft()).toBeUndefined()
  restoreDrafts(alice)
  expect(draft()).toBeUndefined()
})

it('a logout deletes the drafts', () => {
  forgetDraftsSetAside()
  restoreDrafts(alice)
  expect(draft()).toBeUndefined()
})
