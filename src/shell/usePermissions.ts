import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useClient } from '../../engine/client/index.ts'
import { storePermissions } from '../session/permissions.ts'

/** The user's permissions, read once per page load and stored for the session (specification, section 6). */
export function usePermissions(): ReadonlySet<string> | undefined {
  const { request, user } = useClient()
  const { data } = useQuery({
    queryKey: ['permissions', user.id],
    queryFn: async () => {
      const permissions = await request.get<string[]>('/partner-menu/get-user-menus')
      storePermissions(permissions)
      return permissions
    },
    staleTime: Infinity,
    retry: false,
  })
  return useMemo(() => data && new Set(data), [data])
}
