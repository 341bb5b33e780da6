import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { defineWords, useClient, useNotices } from '../../engine/client/index.ts'
import type { MessageItem, MessageList } from '../../engine/model/model.ts'

export const useMessageWords = defineWords({
  messages: { cn: '消息', en: 'Messages' },
  unreadCount: { cn: '消息，{n}条未读', en: 'Messages, {n} unread' },
  unread: { cn: '未读', en: 'Unread' },
  markAll: { cn: '全部已读', en: 'Mark all read' },
  none: { cn: '暂无消息', en: 'No messages yet' },
  noneHint: { cn: '审核、公告等通知会显示在这里', en: 'Approvals, announcements and other notices appear here' },
  failed: { cn: '消息加载失败', en: 'The messages could not be loaded' },
  retry: { cn: '重试', en: 'Retry' },
  more: { cn: '加载更多', en: 'Load more' },
  loading: { cn: '加载中', en: 'Loading' },
}).use

/** Below the menu's key, so that reloading the menu also reloads the number of unread messages. */
export const unreadKey = (user: number) => ['menu', user, 'unread']
/** The user's own messages, newest first, and how to mark them as read. */
export function useMessages() {
  const { request, user, language } = useClient()
  const { message: toast } = useNotices()
  const queries = useQueryClient()
  const key = ['messages', user.id, language]
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      request.get<MessageList>('/messages', { size: 20, ...(pageParam && { before: pageParam }) }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (last) => (last.more ? last.list.at(-1)!.id : undefined),
    retry: false,
    // When reopened, it starts with the newest messages.
    gcTime: 0,
  })
  const { data } = query
  const messages = data?.pages.flatMap(({ list }) => list) ?? []

  /** Marks them on the server, then here, so that visible messages stay in place. */
  async function mark(path: string, body: object, isMeant: (message: MessageItem) => boolean) {
    try {
      queries.setQueryData(unreadKey(user.id), await request.post<{ unread: number }>(path, body))
      queries.setQueryData<typeof data>(
        key,
        (before) =>
          before && {
            ...before,
            pages: before.pages.map((page) => ({
              ...page,
              list: page.list.map((each) => (isMeant(each) ? { ...each, read: true } : each)),
            })),
          },
      )
    } catch (failure) {
      void toast.error((failure as Error).message)
    }
  }
  const read = ({ id, read: known }: MessageItem) => {
    if (!known) void mark('/messages/read', { id }, (each) => each.id === id)
  }
  return { query, messages, mark, read }
}
