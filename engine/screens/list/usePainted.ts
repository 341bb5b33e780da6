import { useEffect, useState } from 'react'

/** Whether the browser has painted since `drawn`: what comes next no longer delays what is drawn. */
export function usePainted(drawn: boolean): boolean {
  const [painted, setPainted] = useState(false)
  useEffect(() => {
    if (!drawn) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    // A frame's callback runs before the frame is painted; a timer started in it runs after.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [drawn])
  return painted
}
