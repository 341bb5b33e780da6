import { Button } from 'antd'
import type { ReactNode } from 'react'

/** Looks like an empty control, until the control is loaded. */
export const ControlToCome = ({ children }: { children?: ReactNode }) => (
  <Button className="control-to-come" block tabIndex={-1} aria-hidden>
    {children}
  </Button>
)
