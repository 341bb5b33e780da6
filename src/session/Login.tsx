import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { FormEvent, RefObject } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { constants } from '../shell/constants.ts'
import { textIn } from '../../engine/model/language.ts'
import { language } from './language.ts'
import { LanguageSwitch } from './LanguageSwitch.tsx'
import { LegacyError } from './legacy.ts'
import { LoginField } from './LoginField.tsx'
import { safeRedirect, signIn } from './session.ts'
import { useProductTitle } from './useProductTitle.ts'
import { text } from './words.ts'
import './login.css'

type Key = 'username' | 'password'
type Missing = Partial<Record<Key, boolean>>

/** The sign-in page, with plain inputs, so that nothing heavy loads before there is a session. */
export default function Login() {
  const current = useSyncExternalStore(language.subscribe, language.get)
  const navigate = useNavigate()
  const location = useLocation()
  const [remembered] = useState(() => localStorage.getItem('username') ?? '')
  const [username, setUsername] = useState(remembered)
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<Missing>({})
  const [failure, setFailure] = useFleetingFailure()
  const notice = useNotice()
  const [busy, setBusy] = useState(false)
  const title = useProductTitle()
  const passwordInput = useRef<HTMLInputElement>(null)
  const usernameInput = useRef<HTMLInputElement>(null)

  useEffect(() => {
    document.title = title ? `${text('signIn')} · ${textIn(title, current)}` : text('signIn')
  })
  useEffect(() => {
    ;(remembered ? passwordInput : usernameInput).current?.focus()
  }, [remembered])

  async function submit(event: FormEvent) {
    event.preventDefault()
    const empty = { username: !username.trim(), password: !password }
    setMissing(empty)
    setFailure('')
    if (empty.username || empty.password) return (empty.username ? usernameInput : passwordInput).current?.focus()
    setBusy(true)
    try {
      await signIn(username, password)
      void navigate(safeRedirect(new URLSearchParams(location.search).get('redirectUrl')), { replace: true })
    } catch (error) {
      setFailure(error instanceof LegacyError ? error.message : text('networkFailure'))
      setBusy(false)
      passwordInput.current?.select()
    }
  }

  const field = (key: Key, value: string, change: (value: string) => void, box: RefObject<HTMLInputElement>) => (
    <LoginField
      box={box}
      name={key}
      label={text(key)}
      prompt={text(key === 'username' ? 'enterUsername' : 'enterPassword')}
      value={value}
      missing={Boolean(missing[key])}
      onChange={(given) => {
        change(given)
        setMissing({ ...missing, [key]: false })
      }}
      onLeave={() => {
        if (!value.trim() && failure === '') setMissing({ ...missing, [key]: true })
      }}
    />
  )

  return (
    <main className="login">
      <section className="login-card" aria-labelledby="login-title">
        <LoginHead title={title && textIn(title, current)} />
        {notice && (
          <p className="login-line" role="status">
            {notice}
          </p>
        )}
        <form noValidate onSubmit={submit}>
          {field('username', username, setUsername, usernameInput)}
          {field('password', password, setPassword, passwordInput)}
          {failure && (
            <p className="login-failure" role="alert">
              {failure}
            </p>
          )}
          <button type="submit" className="login-submit" disabled={busy}>
            {text('signIn')}
          </button>
        </form>
      </section>
    </main>
  )
}

/** The language switch, the logo, and the product's name. */
function LoginHead({ title }: { title: string | undefined }) {
  return (
    <>
      <LanguageSwitch className="login-language" label={text('language')} />
      <div className="login-mark" aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
      <h1 id="login-title">{title ?? '\u00a0'}</h1>
      <p className="login-line">{text('productLine')}</p>
    </>
  )
}

/** A failure message that disappears by itself. */
function useFleetingFailure() {
  const [failure, setFailure] = useState('')
  useEffect(() => {
    if (!failure) return
    const over = setTimeout(() => setFailure(''), constants.errorToast)
    return () => clearTimeout(over)
  }, [failure])
  return [failure, setFailure] as const
}

/** A message from the previous page, such as that the password was changed; a reload does not show it again. */
function useNotice() {
  const navigate = useNavigate()
  const location = useLocation()
  const left = (location.state as { notice?: string } | null)?.notice
  const [notice] = useState(left)
  useEffect(() => {
    if (left) void navigate(location, { replace: true, state: null })
  }, [left, navigate, location])
  return notice
}
