import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { type Content, type Dump, type Outline, type Proof, TransferRefusal } from './dump.ts'

/**
 * A backup is compressed text: a header line, then for each table its rows in COPY format, the COPY end mark and a checksum line. The
 * last line marks a complete file.
 */
const FORMAT = 'trunkline backup 1'
const END_OF_ROWS = Buffer.from('\\.\n')
const END = 'whole'

export type Written = { tables: number; rows: number }

/** Writes a temporary file, syncs it and renames it. Only the owner can read it, because it contains secrets. */
export async function writeBackup(file: string, { outline, contents }: Dump): Promise<Written> {
  const unfinished = `${file}.part`
  const handle = await create(unfinished, file)
  try {
    const written: Written = { tables: 0, rows: 0 }
    const packed = createGzip()
    const toDisk = pour(packed, handle)
    const write = async (chunk: string | Buffer) => {
      if (!packed.write(chunk)) await Promise.race([once(packed, 'drain'), toDisk])
    }
    await write(`${JSON.stringify({ format: FORMAT, outline })}\n`)
    for await (const { rows, proof } of contents) {
      for await (const chunk of rows) await write(chunk)
      await write(END_OF_ROWS)
      const proved = await proof()
      await write(`${JSON.stringify(proved)}\n`)
      written.tables++
      written.rows += proved.rows
    }
    packed.end(`${END}\n`)
    await toDisk
    await handle.sync()
    await handle.close()
    await rename(unfinished, file)
    return written
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(unfinished, { force: true })
    throw error
  }
}

async function create(unfinished: string, file: string): Promise<FileHandle> {
  const isThere = await open(file, 'r').then(
    (handle) => handle.close().then(() => true),
    () => false,
  )
  if (isThere) throw new TransferRefusal(`${file} is there already. Choose another name.`)
  return open(unfinished, 'w', 0o600).catch((error: Error) => {
    throw new TransferRefusal(`${file} cannot be written: ${error.message}`)
  })
}

async function pour(from: AsyncIterable<Buffer>, to: FileHandle): Promise<void> {
  for await (const chunk of from) await to.writeFile(chunk)
}

export async function readBackup<Answer>(
  file: string,
  use: (dump: Dump) => Promise<Answer>,
): Promise<Answer> {
  const stored = createReadStream(file)
  const unpacked = createGunzip()
  stored.once('error', (error) => unpacked.destroy(error))
  stored.pipe(unpacked)
  const lines = new Lines(unpacked)
  try {
    const { format, outline } = await headOf(lines)
    if (format !== FORMAT)
      throw new TransferRefusal(`${file} is no backup of Trunkline that this release can read.`)
    return await use({ outline, contents: readContents(lines, outline) })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code.startsWith('Z_')) throw new TransferRefusal(`${file} is damaged or no backup of Trunkline.`)
    if (/^E[A-Z]+$/.test(code) && error instanceof Error && 'path' in error)
      throw new TransferRefusal(`${file} cannot be read: ${error.message}`)
    throw error
  } finally {
    stored.destroy()
  }
}

async function headOf(lines: Lines): Promise<{ format?: string; outline: Outline }> {
  const line = await lines.next()
  try {
    return JSON.parse(line)
  } catch {
    return { format: 'something else', outline: {} as Outline }
  }
}

async function* readContents(lines: Lines, { tables }: Outline): AsyncGenerator<Content> {
  for (const table of tables)
    yield { table, rows: lines.rows(), proof: async () => JSON.parse(await lines.next()) as Proof }
  if ((await lines.next()) !== END) throw new TransferRefusal('The backup is not whole.')
}

const NEWLINE = '\n'.charCodeAt(0)
const END_AFTER_ROW = Buffer.concat([Buffer.from('\n'), END_OF_ROWS])

/** Reads a stream line by line, or all available lines at once. The buffer always starts at a line. */
class Lines {
  readonly #chunks: AsyncIterator<Buffer>
  #kept = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  async next(): Promise<string> {
    let end = this.#kept.indexOf(NEWLINE)
    for (; end < 0; end = this.#kept.indexOf(NEWLINE)) await this.#more()
    return this.#take(end + 1).toString('utf8', 0, end)
  }

  async *rows(): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#kept.subarray(0, END_OF_ROWS.length).equals(END_OF_ROWS)) {
        this.#take(END_OF_ROWS.length)
        return
      }
      const end = this.#kept.indexOf(END_AFTER_ROW)
      const whole = (end < 0 ? this.#kept.lastIndexOf(NEWLINE) : end) + 1
      if (whole > 0) yield this.#take(whole)
      if (end < 0) await this.#more()
    }
  }

  #take(length: number): Buffer {
    const taken = this.#kept.subarray(0, length)
    this.#kept = this.#kept.subarray(length)
    return taken
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#chunks.next()
    if (done) throw new TransferRefusal('The backup is not whole: it ends too early.')
    this.#kept = Buffer.concat([this.#kept, value])
  }
}
