import { textIn } from '../../../engine/model/language.ts'
import { useLocation } from 'react-router-dom'
import { useAppBundle, useClient } from '../../../engine/client/index.ts'
import { kinds } from '../../../engine/screens/index.ts'
import { widgets } from '../../../engine/widgets/index.ts'
import { useDeskWords } from '../words.ts'
import { KindCard } from './KindCard.tsx'
import { WidgetCards } from './WidgetCards.tsx'
import '../../../engine/client/form.css'
import './gallery.css'

export const galleryRoute = '/gallery'

/**
 * Every widget and every kind of screen, one at a time: `/gallery?widget=money`, `/gallery?kind=list`. Only in
 * development.
 */
export default function Gallery() {
  const t = useDeskWords()
  const { language, href } = useClient()
  const { screens } = useAppBundle()
  const query = new URLSearchParams(useLocation().search)
  const kind = query.get('kind') ?? ''
  const type = query.get('widget') ?? Object.keys(widgets)[0]
  const shown = screens.filter((screen) => screen.kind === kind)
  // The simplest of its kind: one without parameters.
  const screen = shown.find(({ parameters }) => parameters.every(({ required }) => !required)) ?? shown[0]
  const link = (key: string, name: string, label: string, current: boolean) => (
    <li key={name}>
      <a href={href(`${galleryRoute}?${key}=${name}`)} aria-current={current ? 'page' : undefined}>
        {label} <code>{name}</code>
      </a>
    </li>
  )
  return (
    <article className="gallery">
      <nav aria-label={t('gallery')}>
        <h2>{t('widgets')}</h2>
        <ul>
          {Object.values(widgets).map((widget) =>
            link('widget', widget.type, textIn(widget.label, language), !kind && widget.type === type),
          )}
        </ul>
        <h2>{t('kinds')}</h2>
        <ul>
          {Object.values(kinds).map((each) =>
            link('kind', each.kind, textIn(each.label, language), each.kind === kind),
          )}
        </ul>
      </nav>
      <div>
        {kind ? (
          <>
            <h1>{kinds[kind] ? textIn(kinds[kind].label, language) : kind}</h1>
            {screen && <KindCard key={screen.name} screen={screen} />}
          </>
        ) : (
          <>
            <h1>{widgets[type] ? textIn(widgets[type].label, language) : type}</h1>
            {widgets[type] && <WidgetCards key={type} type={type} />}
          </>
        )}
      </div>
    </article>
  )
}
