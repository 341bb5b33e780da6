import { useClient } from '../../engine/client/index.ts'
import { useShellWords } from './words.ts'

/** For routes without a screen. */
export function NotFound({ home }: { home: string }) {
  const t = useShellWords()
  const { href } = useClient()
  return (
    <section className="not-found">
      <p className="not-found-code" aria-hidden="true">
        404
      </p>
      <h1>{t('notFoundTitle')}</h1>
      <p>{t('notFoundLine')}</p>
      <a className="not-found-home" href={href(home)}>
        {t('toHome')}
      </a>
    </section>
  )
}
