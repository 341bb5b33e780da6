import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { FormEvent, RefObject } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { constants } from '../shell/constants.ts'
import { language } from './language.ts'
import { LegacyError } from './legacy.ts'
import { safeRedirect, signIn } from './session.ts'
import { words } from './words.ts'
import './login.css'

type Key = 'username' | 'password'
type Missing = Partial<Record<Key, boolean>>

/** The sign-in page. Plain inputs, so that nothing heavy is loaded before there is a session. */
export default function Login() {
  const current = useSyncExternalStore(language.subscribe, language.get)
  const navigate = useNavigate()
  const location = useLocation()
  const [remembered] = useState(() => localStorage.getItem('username') ?? '')
  const [username, setUsername] = useState(remembered)
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<Missing>({})
  const [failure, setFailure] = useState('')
  // What led here may have something to say, once: a password was changed.
  const told = (location.state as { notice?: string } | null)?.notice
  const [notice] = useState(told)
  const [busy, setBusy] = useState(false)
  const title = useProductTitle()
  const passwordInput = useRef<HTMLInputElement>(null)
  const usernameInput = useRef<HTMLInputElement>(null)
  const text = (key: keyof typeof words) => words[key][current]

  useEffect(() => {
    document.title = title[current] ? `${text('signIn')} · ${title[current]}` : text('signIn')
  })
  useEffect(() => {
    ;(remembered ? passwordInput : usernameInput).current?.focus()
  }, [remembered])

  useEffect(() => {
    if (told) void navigate(location, { replace: true, state: null })
  }, [told, navigate, location])
  useEffect(() => {
    if (!failure) return
    const over = setTimeout(() => setFailure(''), constants.errorToast)
    return () => clearTimeout(over)
  }, [failure])

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
        <button
          type="button"
          className="login-language"
          lang={current === 'cn' ? 'en' : 'zh-CN'}
          onClick={() => language.set(current === 'cn' ? 'en' : 'cn')}
        >
          {text('otherLanguage')}
        </button>
        <div className="login-mark" aria-hidden="true">
          <i />
          <i />
          <i />
        </div>
        <h1 id="login-title">{title[current] ?? '\u00a0'}</h1>
        <p className="login-line">{text('productLine')}</p>
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

interface LoginFieldProps {
  box: RefObject<HTMLInputElement>
  name: Key
  label: string
  prompt: string
  value: string
  /** It was left empty. */
  missing: boolean
  onChange(value: string): void
  onLeave(): void
}

function LoginField({ box, name, label, prompt, value, missing, onChange, onLeave }: LoginFieldProps) {
  return (
    <div className="login-field">
      <label htmlFor={name}>{label}</label>
      <input
        ref={box}
        id={name}
        name={name}
        type={name === 'password' ? 'password' : 'text'}
        value={value}
        placeholder={prompt}
        autoComplete={name === 'username' ? 'username' : 'current-password'}
        aria-required
        aria-invalid={missing}
        aria-describedby={missing ? `${name}-problem` : undefined}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onLeave}
      />
      {missing && (
        <p className="login-problem" id={`${name}-problem`} role="alert">
          {prompt}
        </p>
      )}
    </div>
  )
}

/** The product's name, from the schema files; the page works without it. */
function useProductTitle(): Record<string, string> {
  const [title, setTitle] = useState<Record<string, string>>({})
  useEffect(() => {
    void fetch('/api/plans/public')
      .then((answer) => answer.json())
      .then(({ result }) => setTitle(result.title))
      .catch(() => undefined)
  }, [])
  return title
}
