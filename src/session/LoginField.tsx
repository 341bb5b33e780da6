import type { RefObject } from 'react'

interface LoginFieldProps {
  box: RefObject<HTMLInputElement>
  name: 'username' | 'password'
  label: string
  prompt: string
  value: string
  /** Whether the user left it empty. */
  missing: boolean
  onChange(value: string): void
  onLeave(): void
}

/** A plain labelled input of the sign-in page. */
export function LoginField({ box, name, label, prompt, value, missing, onChange, onLeave }: LoginFieldProps) {
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
