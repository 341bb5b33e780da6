import { localeOf, textIn } from '../../model/language.ts'

type Json = Record<string, unknown>

const escape = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

const head = (title: string) => `<meta charset="utf-8"><title>${escape(title)}</title><style>
body{font:14px/1.6 system-ui,sans-serif;max-width:1100px;margin:2rem auto;padding:0 1rem;color:#1f2329}table{border-collapse:collapse;width:100%}
td{border-bottom:1px solid #e5e6eb;padding:4px 12px 4px 0;vertical-align:top}nav a{margin-right:1em}h2{margin-top:2rem}</style>`

/** The document as a page without scripts, so that the site's strict content security policy holds. */
export function openApiPage(document: Json, language: string): string {
  const { info, paths } = document as {
    info: { title: string; version: string }
    paths: Record<string, Record<string, { operationId: string; summary: string; tags: string[] }>>
  }
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    // Parameters common to all calls are left out.
    Object.entries(methods).flatMap(([method, operation]) =>
      method === 'parameters' ? [] : { path, method, ...operation },
    ),
  )
  const tags = [...new Set(rows.flatMap((row) => row.tags))]
  const table = (tag: string) =>
    `<h2 id="${escape(tag)}">${escape(tag)}</h2><table>${rows
      .filter((row) => row.tags.includes(tag))
      .map(
        (row) =>
          `<tr><td><code>${row.method.toUpperCase()}</code></td><td><code>/api${escape(row.path)}</code></td><td><code>${escape(row.operationId)}</code></td><td>${escape(row.summary)}</td></tr>`,
      )
      .join('')}</table>`
  return `<!doctype html><html lang="${localeOf(language)}"><head>${head(`${info.title} API`)}</head>
<body><h1>${escape(info.title)} API</h1><p><code>/api/openapi.json</code> · ${escape(info.version)}</p>
<nav>${tags.map((tag) => `<a href="#${escape(tag)}">${escape(tag)}</a>`).join('')}</nav>${tags.map(table).join('')}</body></html>`
}

const words = {
  cn: '请先<a href="/">登录</a>，再打开本页。',
  en: 'Please <a href="/">sign in</a> first, then open this page again.',
}

/** The page for a browser without a token header; its script requests it again with one. */
export const openApiDoor = (language: string): string =>
  `<!doctype html><html lang="${localeOf(language)}"><head>${head('API')}<script src="/api/docs.js" defer></script></head>
<body><p hidden>${textIn(words, language)}</p></body></html>`

/** Requests the page with the browser's session, and replaces this one with it. */
export const openApiScript = `const ask = async () => {
  const token = localStorage.getItem('token')
  const answer = token ? await fetch(location.href, { headers: { token } }) : undefined
  if (!answer?.ok) return void (document.querySelector('p').hidden = false)
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  document.title = page.title
  document.body.replaceWith(page.body)
}
void ask()
`
