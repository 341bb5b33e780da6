import { useCallback, useMemo, useState } from 'react'
import { defineWords, Screen, useEngine } from '../../client/index.ts'
import type { ScreenFrame } from '../../client/index.ts'
import type { RecordData, Value } from '../../model/model.ts'
import type { DetailTab } from './detail.ts'

interface Props {
  related: NonNullable<DetailTab['related']>
  record: RecordData
  frame: ScreenFrame
  reload(): void
}

/** Lists of other records, stacked; empty ones are named on one line, and open from there. */
export function RelatedLists({ related, ...common }: Props) {
  const { text } = useEngine()
  const words = texts.use()
  const [empty, setEmpty] = useState<readonly string[]>([])
  const [opened, setOpened] = useState<readonly string[]>([])
  const reportEmpty = useCallback(
    (screen: string, isEmpty: boolean) =>
      setEmpty((before) =>
        before.includes(screen) === isEmpty
          ? before
          : isEmpty
            ? [...before, screen]
            : before.filter((name) => name !== screen),
      ),
    [],
  )
  if (related.length === 1) return <Related related={related[0]} {...common} />
  const folded = related.filter(({ screen }) => empty.includes(screen) && !opened.includes(screen))
  return (
    <>
      {related.map((each) => (
        <section key={each.screen} aria-label={text(each.title)} hidden={folded.includes(each)}>
          <h3>{text(each.title)}</h3>
          <Named related={each} {...common} reportEmpty={reportEmpty} />
        </section>
      ))}
      {folded.length > 0 && (
        <p className="detail-related-empty">
          {words('nothingIn')}
          {folded.map(({ screen, title }) => (
            <button key={screen} type="button" onClick={() => setOpened([...opened, screen])}>
              {text(title)}
            </button>
          ))}
        </p>
      )}
    </>
  )
}

const texts = defineWords({ nothingIn: { cn: '暂无数据：', en: 'No records yet in:' } })

function Named({
  reportEmpty,
  ...props
}: Omit<Props, 'related'> & {
  related: Props['related'][number]
  reportEmpty(screen: string, isEmpty: boolean): void
}) {
  const { screen } = props.related
  const setEmpty = useCallback((isEmpty: boolean) => reportEmpty(screen, isEmpty), [reportEmpty, screen])
  return <Related {...props} setEmpty={setEmpty} />
}

/** References arrive with their names. */
const idOrValue = (value: Value): Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value.id ?? null) : value

const nothing = () => undefined

/**
 * A list of records that belong to this one, reloaded when they change. Its filters and page stay out of the address.
 */
function Related({
  related: { screen, by, from },
  record,
  frame: outer,
  reload,
  setEmpty,
}: Omit<Props, 'related'> & {
  related: Props['related'][number]
  setEmpty?(empty: boolean): void
}) {
  const [state, setState] = useState<Readonly<Record<string, string>>>({})
  const [query] = useState({})
  const { active, navigate, setDirty } = outer
  const is = from === undefined ? record.id! : idOrValue(record[from] ?? null)
  // The available actions on them may depend on this record.
  const version = outer.version + (record.revision ?? 0)
  const frame = useMemo<ScreenFrame>(
    () => ({
      place: 'drawer',
      active,
      version,
      state,
      setState,
      navigate,
      close: nothing,
      setDirty: (dirty, part = '') => setDirty(dirty, `${screen}/${part}`),
      setBusy: nothing,
      setEmpty,
    }),
    [active, version, state, navigate, screen, setDirty, setEmpty],
  )
  const fixed = useMemo(() => (is === null ? undefined : { [by]: { equals: is } }), [by, is])
  const owner = from === undefined ? record : undefined
  return fixed && <Screen name={screen} query={query} frame={frame} fixed={fixed} owner={owner} onChanged={reload} />
}
