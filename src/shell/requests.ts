import { useSyncExternalStore } from 'react'
import type { Request } from '../../engine/client/index.ts'

let underWay = 0
const listeners = new Set<() => void>()

function add(change: number) {
  underWay += change
  // A call may begin during rendering, when no other component may be updated.
  queueMicrotask(() => listeners.forEach((listener) => listener()))
}

/** The same client, counting pending calls. */
export function counted(request: Request): Request {
  const count =
    <A extends unknown[], R>(call: (...given: A) => Promise<R>) =>
    async (...given: A) => {
      add(1)
      try {
        return await call(...given)
      } finally {
        add(-1)
      }
    }
  const { get, delete: remove, post, put, upload, download } = request
  return {
    ...request,
    get: count(get) as Request['get'],
    delete: count(remove) as Request['delete'],
    post: count(post) as Request['post'],
    put: count(put) as Request['put'],
    upload: count(upload) as Request['upload'],
    download: count(download),
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Whether any call is pending. */
export const useIsAsking = (): boolean => useSyncExternalStore(subscribe, () => underWay > 0)
