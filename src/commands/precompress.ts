import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const compress = promisify(brotliCompress)
/** In bytes; a smaller file fits in one packet either way. */
const threshold = 1024

/** Writes a Brotli copy in the best quality, `<name>.br`, beside each script and style sheet in the folder. */
export async function precompress(folder: string): Promise<void> {
  const names = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name))
  await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name)
      const content = await readFile(file)
      if (content.length < threshold) return
      await writeFile(
        `${file}.br`,
        await compress(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
      )
    }),
  )
}
