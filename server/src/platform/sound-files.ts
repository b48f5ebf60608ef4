/**
 * Stored sound: voicemail and recordings. A file is encrypted and grows by sealed chunks while it is being written, so a killed process
 * loses at most the last second. Samples are A-law, 8,000 per second; with two channels, left and right alternate.
 */
export type SoundFiles = {
  /** `name` is unique and has no path. */
  create(name: string, channels: 1 | 2): SoundWriter
  /** Decrypted samples; an incomplete chunk at the end is left out. Null if there is no such file. */
  read(file: StoredSound): Promise<{ channels: 1 | 2; samples: Uint8Array } | null>
  remove(file: StoredSound): Promise<void>
  /** Moves a finished file to the object store, if one is configured. Returns where it is. */
  keep(file: StoredSound): Promise<StoredSound>
}

export type StoredSound = { readonly file: string; readonly storage: 'folder' | 's3' }

export type SoundWriter = {
  /** Resolves when the file exists. */
  opened(): Promise<void>
  /** Keeps the samples; writes them at least every second. */
  append(samples: Uint8Array): void
  /** Writes the rest. Returns the number of samples per channel. */
  close(): Promise<number>
}
