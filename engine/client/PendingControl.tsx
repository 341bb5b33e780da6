import { Button } from 'antd'
import type { ReactNode } from 'react'

/** Looks like an empty control, until the control is loaded. */
export const PendingControl = ({ children }: { children?: ReactNode }) => (
  <Button className="pending-control" block tabIndex={-1} aria-hidden>
    {children}
  </Button>
)
