// @vitest-environment jsdom
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { constants as client } from '../engine/client/constants.ts'
import { defaultThemeColour } from '../engine/schema/language/appShape.ts'
import { groupThousands } from '../engine/widgets/decimal/decimal.ts'
import { unlimited } from '../engine/widgets/file/files.ts'
import { money } from '../engine/widgets/money/money.ts'
import { constants } from '../src/shell/constants.ts'
import { defaults, sizes } from '../src/shell/settings.ts'

const sources = ['engine', 'src']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.posix.join(folder, name)),
  )
  .filter((name) => /\.tsx?$/.test(name) && !/\.(test|examples)\.tsx?$|^src\/(commands|demo)\//.test(name))
  .map((name) => ({ name, text: readFileSync(name, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '') }))
const css = (name: string) => readFileSync(name, 'utf8').replaceAll(/\s+/g, ' ')

test('calls and messages have the specified times', () => {
  expect([client.timeout, constants.legacyTimeout, constants.errorToast]).toEqual([180_000, 5000, 5000])
})
test('typing is debounced by 300 ms', () => expect(client.debounce).toBe(300))
test('the frame has the specified measures', () => {
  const { headerHeight, sidebarExpanded, sidebarCollapsed, sidebarWidth, mobileBelow } = constants
  expect({ headerHeight, sidebarExpanded, sidebarCollapsed, sidebarWidth, mobileBelow }).toEqual({
    headerHeight: 52,
    sidebarExpanded: 205,
    sidebarCollapsed: 65,
    sidebarWidth: 210,
    mobileBelow: 992,
  })
})
test('the theme colour and the default in the schema files are the specified one', () => {
  expect([constants.themeColour, defaultThemeColour]).toEqual(['#1890ff', '#1890ff'])
})
test('badges and uploads stop at 99', () => {
  expect([constants.badgeMaximum, client.uploadProgressMaximum, unlimited]).toEqual([99, 99, 99])
})
test('the page search has the specified threshold', () => expect(constants.searchThreshold).toBe(0.4))
test('the progress bar has the specified speed and minimum', () =>
  expect([constants.progressSpeed, constants.progressMinimum]).toEqual([500, 0.2]))

test("sizes and settings have the specification's defaults", () => {
  expect(sizes).toEqual(['default', 'medium', 'small', 'mini'])
  expect(defaults).toMatchObject({
    size: 'medium',
    tagsView: true,
    sidebarLogo: true,
    fixedHeader: false,
    theme: '#1890ff',
  })
})

test('an amount is grouped by thousands after its symbol', () => {
  expect(groupThousands('1234567.5')).toBe('1,234,567.5')
  const context = { label: { cn: '', en: '' }, dictionary: () => undefined!, now: () => '' }
  expect(money.text('-1234567.5', { negative: true }, context, 'cn')).toBe('-￥1,234,567.50')
})

/** Name and pattern of a constant in the sources → the only files that may contain it, and the files searched. */
test.each<[string, RegExp, string[], RegExp?]>([
  ['180000 ms', /\b180_?000\b/, ['engine/client/constants.ts']],
  ['300 ms', /\b300\b/, ['engine/client/constants.ts'], /^engine\/(client|widgets|screens)\/|^src\/(shell|session)/],
  ['5000 ms', /\b5_?000\b/, ['src/shell/constants.ts'], /^engine\/(client|widgets|screens)\/|^src\/(shell|session)/],
  ['the cap of 99%', /Math\.min\(99\b/, []],
  ['￥', /'￥'|`￥|\}￥/, ['engine/widgets/money/currencies.ts']],
  [
    'grouping by thousands',
    /\(\?=\(\\d\{3\}\)|toLocaleString|NumberFormat/,
    ['engine/client/charts/scale.ts', 'engine/widgets/decimal/decimal.ts'],
    /^(?!engine\/schema\/)/,
  ],
  ['992px', /\b99[12]\b/, ['src/shell/constants.ts']],
  [
    'the widths of the sidebar',
    /\b(205|210)\b|(width|collapsed)\w*: 65\b/i,
    ['src/shell/constants.ts'],
    /^src\/(shell|session)/,
  ],
  ['the fuzzy threshold', /threshold: *0?\.\d/, []],
  ['the key token', /'token'/, ['src/session/token.ts'], /^src\/(shell|session)/],
  ['the cookie', /'Admin-Token'/, ['src/session/token.ts']],
  ['the key erp-locale', /'erp-locale'/, ['src/session/language.ts']],
  ['the key sidebarStatus', /'sidebarStatus'/, ['src/shell/useSidebar.ts']],
  ['the key showTagsView', /'showTagsView'/, ['src/shell/settings.ts']],
  [
    'reading a text by language',
    /[\w)\]]\[(\w+\.)*language\]/,
    // These choose by language but are no labels: units, words for i18next, titles made of words, and texts of antd.
    [
      'engine/client/charts/scale.ts',
      'engine/client/words.ts',
      'engine/model/language.ts',
      'engine/screens/titleOf.ts',
      'src/shell/useLocale.ts',
    ],
    /^(engine\/(?!schema\/)|src\/(shell|session|help|desk)\/)/,
  ],
  [
    'code for Chinese or English alone',
    /anguage(\.get\(\))? [!=]== '(cn|en)'/,
    ['engine/model/language.ts', 'engine/server/catalog/administeredLabel.ts'],
    /^(engine|src\/(shell|session|help|desk))\//,
  ],
  ['the key MenuPermissions', /'MenuPermissions'/, ['src/session/permissions.ts']],
])('%s appears only in the listed files', (_, pattern, places, within = /./) => {
  expect(
    sources
      .filter(({ name, text }) => within.test(name) && pattern.test(text))
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(places.toSorted())
})

test('the style sheets use the same numbers', () => {
  const shell = css('src/shell/shell.css')
  expect(shell).toMatch(new RegExp(`\\.header \\{[^}]*\\bheight: ${constants.headerHeight}px`))
  expect(shell).toMatch(new RegExp(`\\.sidebar \\{[^}]*\\bwidth: ${constants.sidebarExpanded}px`))
  expect(shell).toMatch(
    new RegExp(`\\.sidebar\\[data-collapsed='true'\\] \\{[^}]*\\bwidth: ${constants.sidebarCollapsed}px`),
  )
  expect(shell).toContain(`(max-width: ${constants.mobileBelow - 1}px)`)
  expect(css('engine/widgets/file/uploads.css')).toMatch(/\.uploads-thumbnail \{[^}]*\bwidth: 100px; height: 100px/)
})
