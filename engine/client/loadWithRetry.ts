import { arrive } from './lazy.ts'

const failed = new Set<() => void>()
const listeners = new Set<() => void>()
const notify = () => listeners.forEach((listener) => listener())

/** Loads what a screen does not need at first. It never rejects: a failed one waits until the user tries again. */
export const loadWithRetry = <T>(load: () => Promise<T>): Promise<T> =>
  arrive(load).catch(
    () =>
      new Promise<T>((resolve) => {
        failed.add(() => resolve(loadWithRetry(load)))
        notify()
      }),
  )

/** Whether a load has failed, and a function that retries it. */
export const failedLoads = {
  any: () => failed.size > 0,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  retry() {
    const waiting = [...failed]
    failed.clear()
    notify()
    for (const again of waiting) again()
  },
}
