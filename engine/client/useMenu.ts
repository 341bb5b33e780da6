import { useQuery } from '@tanstack/react-query'
import type { MenuItem } from '../model/model.ts'
import { useClient } from './frame.ts'

/** The signed-in user's menu, reloaded when records that badges count may have changed. */
export function useMenu() {
  const { request, language, user } = useClient()
  const query = useQuery({
    queryKey: ['menu', user.id, language],
    queryFn: () => request.get<MenuItem[]>('/partner-menu/get-user-nav-menu'),
    placeholderData: (before) => before,
    // The shell and a board request it at the same time.
    staleTime: 3000,
    retry: false,
  })
  return { items: query.data ?? [], error: query.error?.message, retry: () => void query.refetch() }
}
