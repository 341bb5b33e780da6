import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useClient } from '../../engine/client/index.ts'

const storageKey = 'MenuPermissions'

/** What the user may do, read once a session and kept for it under `MenuPermissions` (specification, sections 3 and 6). */
export function usePermissions(): Set<string> | undefined {
  const { request, user } = useClient()
  const { data } = useQuery({
    queryKey: ['permissions', user.id],
    queryFn: async () => {
      const permissions = await request.get<string[]>('/partner-menu/get-user-menus')
      sessionStorage.setItem(storageKey, JSON.stringify(permissions))
      return permissions
    },
    staleTime: Infinity,
    retry: false,
  })
  return useMemo(() => data && new Set(data), [data])
}
