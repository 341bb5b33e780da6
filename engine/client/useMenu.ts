import { useQuery } from '@tanstack/react-query'
import type { MenuItem } from '../model/model.ts'
import { useClient } from './frame.ts'

/** The menu of the signed-in user, read again when records that badges count may have changed. */
export function useMenu() {
  const { request, language, user } = useClient()
  const query = useQuery({
    queryKey: ['menu', user.id, language],
    queryFn: () => request.get<MenuItem[]>('/partner-menu/get-user-nav-menu'),
    placeholderData: (before) => before,
    // The shell and a board ask for it at once.
    staleTime: 3000,
    retry: false,
  })
  return { items: query.data ?? [], error: query.error?.message, retry: () => void query.refetch() }
}
