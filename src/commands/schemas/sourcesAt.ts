import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { schemaPath } from '../../../engine/server/catalog/sources.ts'
import type { SourceText } from '../../../engine/schema/reading/SourceFile.ts'

/**
 * The schema files of a directory in a commit, branch or tag; nothing on disk changes.
 * @throws with git's message.
 */
export function sourcesAt(reference: string, directory: string): SourceText[] {
  const git = (parameters: string[], input?: string, refusal?: string): Buffer => {
    const { status, stdout, stderr, error } = spawnSync('git', ['-C', directory, ...parameters], {
      input,
      maxBuffer: 1 << 30,
    })
    if (error) throw new Error(`git cannot be run: ${error.message}`)
    if (status !== 0) throw new Error(refusal ?? (stderr.toString().trim() || `git ${parameters[0]} failed`))
    return stdout
  }
  // Anything that is not a commit is reported before it could be taken for an option.
  const root = git(['rev-parse', '--show-toplevel']).toString().trim()
  const commit = git(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${reference}^{commit}`],
    undefined,
    `There is no commit, branch or tag "${reference}".`,
  )
    .toString()
    .trim()
  const below = relative(root, realpathSync(directory)).split(sep).join('/')
  const entries = git(['ls-tree', '-r', '-z', '--full-tree', commit, '--', ...(below ? [below] : [])])
    .toString()
    .split('\0')
    .flatMap((line) => {
      const match = /^\d+ blob ([0-9a-f]+)\t(.+\.json)$/.exec(line)
      return match ? [{ hash: match[1], path: match[2] }] : []
    })
  if (!entries.length) throw new Error(`${reference} has no schema file in ${below || '.'}.`)
  const texts = git(['cat-file', '--batch'], entries.map(({ hash }) => `${hash}\n`).join(''))
  let offset = 0
  return entries.map(({ path }) => {
    // Each comes as `<hash> blob <bytes>`, a line break, the bytes, a line break.
    const head = texts.indexOf('\n', offset)
    const size = Number(texts.subarray(offset, head).toString().split(' ')[2])
    const text = texts.subarray(head + 1, head + 1 + size).toString()
    offset = head + size + 2
    return { path: schemaPath(below ? path.slice(below.length + 1) : path, directory), text }
  })
}
