import { fetchSound } from '../../../common/sound/fetch-sound.ts'

export const loadSound = (id: number) => (): Promise<Blob> =>
  fetchSound('GET /api/sounds/:id/audio', { params: { id } })
