import { useQuery } from '@tanstack/react-query'
import type { MenuItem } from '../model/model.ts'
import { useClient } from './frame.ts'

const path = '/partner-menu/get-user-nav-menu'

/**
 * The signed-in user's menu, reloaded when records that badges count may have changed.
 *
 * @param counting whether its badges are counted now, which takes the server much longer than the entries
 */
export function useMenu(counting = true) {
  const { request, language, user } = useClient()
  const counted = useQuery({
    queryKey: ['menu', user.id, language],
    queryFn: () => request.get<MenuItem[]>(path),
    placeholderData: (before) => before,
    enabled: counting,
    // The shell and a board request it at the same time.
    staleTime: 3000,
    retry: false,
  })
  const entries = useQuery({
    queryKey: ['menu', user.id, language, 'entries'],
    queryFn: () => request.get<MenuItem[]>(path, { badges: 'later' }),
    enabled: !counting,
    retry: false,
  })
  return {
    items: counted.data ?? entries.data ?? [],
    error: (counting ? counted : entries).error?.message,
    retry: () => void (counting ? counted : entries).refetch(),
  }
}
