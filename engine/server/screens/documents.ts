import path from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import sanitizeHtml from 'sanitize-html'
import { textIn } from '../../model/language.ts'
import type { HelpSection } from '../../model/model.ts'
import type { HelpDocument } from '../HelpDocument.ts'

const markdown = new Marked()

/** The anchor that GitHub gives a heading, so that links work in both places. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

interface Part {
  heading: string
  tokens: Token[]
}

/** The part of a file before its first second-level heading, and then each second-level section. */
function partsOf(text: string, { title }: HelpDocument): Part[] {
  const parts: Part[] = [{ heading: textIn(title, 'en'), tokens: [] }]
  for (const token of markdown.lexer(text)) {
    const { depth, text: heading } = token as Tokens.Heading
    if (token.type === 'heading' && depth === 1) parts[0].heading = heading
    else if (token.type === 'heading' && depth === 2) parts.push({ heading, tokens: [] })
    else parts.at(-1)!.tokens.push(token)
  }
  return parts
}

/** The section of a file that contains an anchor; undefined if there is none. */
function sectionAt(parts: readonly Part[], anchor: string): string | undefined {
  const found = parts.find(
    ({ heading, tokens }) =>
      anchorOf(heading) === anchor ||
      tokens.some((token) => token.type === 'heading' && anchorOf((token as Tokens.Heading).text) === anchor),
  )
  return found && anchorOf(found.heading)
}

/** Where the help shows a path of the project, `#anchor` included; undefined if it does not. */
function addressOf(link: string, shown: readonly HelpDocument[]): string | undefined {
  const [target, anchor] = link.split('#')
  for (const document of shown) {
    const file = document.files.find(({ path: each }) => each === target)
    if (!file && document.path !== target) continue
    const parts = file ? partsOf(file.text, document) : []
    const isWhole = anchor === undefined && document.path === target
    const at = isWhole
      ? undefined
      : sectionAt(parts, anchor === undefined ? anchorOf(parts[0].heading) : decodeURIComponent(anchor))
    return `/help/${document.name}${at === undefined ? '' : `?at=${encodeURIComponent(at)}`}`
  }
}

/** A document as sections of the help. Links to documents that are not shown, or to sources, become plain text. */
export const documentSections = (document: HelpDocument, shown: readonly HelpDocument[]): HelpSection[] =>
  document.files.flatMap((file) => {
    const linkOf = (href: string): string | undefined => {
      if (/^https?:/.test(href)) return href
      const isHere = href.startsWith('#')
      return addressOf(isHere ? file.path + href : path.posix.join(path.posix.dirname(file.path), href), shown)
    }
    return partsOf(file.text, document).map(({ heading, tokens }) => ({
      id: anchorOf(heading),
      title: heading,
      text: [],
      tables: [],
      html: sanitizeHtml(markdown.parser(tokens), {
        allowedTags: sanitizeHtml.defaults.allowedTags.filter((tag) => tag !== 'img'),
        allowedAttributes: { a: ['href'] },
        transformTags: {
          a(_, { href = '' }) {
            const link = linkOf(href)
            const attribs: sanitizeHtml.Attributes = link === undefined ? {} : { href: link }
            return { tagName: link === undefined ? 'span' : 'a', attribs }
          },
        },
      }),
    }))
  })
