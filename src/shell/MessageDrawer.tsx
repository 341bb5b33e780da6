import { BellOutlined } from '@ant-design/icons'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button, Drawer, Skeleton } from 'antd'
import { useState } from 'react'
import type { MouseEvent } from 'react'
import { busySign, defineWords, follow, useClient } from '../../engine/client/index.ts'
import type { MessageItem, MessageList } from '../../engine/model/model.ts'
import { constants } from './constants.ts'
import { useGo } from './GoProvider.tsx'
import './messages.css'

const useMessageWords = defineWords({
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

/** Below the menu's: whatever reads the menu again reads the number of unread messages with it. */
const unreadKey = (user: number) => ['menu', user, 'unread']
/** Others send messages too: how often one asks, in milliseconds. */
const asking = 60_000

/** The bell of the header with the number of unread messages, and the drawer that it opens. */
export function MessageButton() {
  const t = useMessageWords()
  const { request, user } = useClient()
  const [open, setOpen] = useState(false)
  const { data } = useQuery({
    queryKey: unreadKey(user.id),
    queryFn: () => request.get<{ unread: number }>('/messages/unread'),
    refetchInterval: asking,
    retry: false,
  })
  const unread = data?.unread ?? 0
  const shown = unread > constants.badgeMaximum ? `${constants.badgeMaximum}+` : String(unread)
  return (
    <>
      <button
        type="button"
        className="header-button message-button"
        aria-haspopup="dialog"
        aria-label={unread ? t('unreadCount', { n: shown }) : t('messages')}
        onClick={() => setOpen(true)}
      >
        <BellOutlined aria-hidden />
        {unread > 0 && (
          <span className="message-badge" aria-hidden="true">
            {shown}
          </span>
        )}
      </button>
      <Drawer
        open={open}
        onClose={() => setOpen(false)}
        title={t('messages')}
        width="min(420px, 100vw)"
        destroyOnHidden
        styles={{ body: { padding: 0 } }}
      >
        <Messages unread={unread} onLeave={() => setOpen(false)} />
      </Drawer>
    </>
  )
}

/** One's own messages, the newest first. */
function Messages({ unread, onLeave }: { unread: number; onLeave(): void }) {
  const t = useMessageWords()
  const { request, user, language } = useClient()
  const { message: toast } = App.useApp()
  const queries = useQueryClient()
  const go = useGo()
  const key = ['messages', user.id, language]
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      request.get<MessageList>('/messages', { size: 20, ...(pageParam && { before: pageParam }) }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (last) => (last.more ? last.list.at(-1)!.id : undefined),
    retry: false,
    // Opened again it begins with what is new.
    gcTime: 0,
  })
  const messages = data?.pages.flatMap(({ list }) => list) ?? []

  /** Marks them on the server, then here: what is on the screen stays where it is. */
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

  if (error && !data) {
    return (
      <div className="message-state" role="alert">
        <p>
          <strong>{t('failed')}</strong>
        </p>
        <p>{error.message}</p>
        <Button onClick={() => void refetch()}>{t('retry')}</Button>
      </div>
    )
  }
  if (!data)
    return (
      <div className="message-loading" role="status" aria-label={t('loading')}>
        <Skeleton active paragraph={{ rows: 2 }} />
        <Skeleton active paragraph={{ rows: 2 }} />
        <Skeleton active paragraph={{ rows: 2 }} />
      </div>
    )
  if (messages.length === 0)
    return (
      <div className="message-state" role="status">
        <p>
          <strong>{t('none')}</strong>
        </p>
        <p>{t('noneHint')}</p>
      </div>
    )
  return (
    <>
      <div className="message-bar">
        <Button size="small" disabled={unread === 0} onClick={() => void mark('/messages/read-all', {}, () => true)}>
          {t('markAll')}
        </Button>
      </div>
      <ul className="message-list" aria-label={t('messages')}>
        {messages.map((each) => (
          <li key={each.id}>
            <Message
              message={each}
              onRead={() => read(each)}
              onGo={(to) => {
                onLeave()
                go(to)
              }}
            />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <div className="message-more">
          <Button loading={busySign(isFetchingNextPage)} onClick={() => void fetchNextPage()}>
            {t('more')}
          </Button>
        </div>
      )}
    </>
  )
}

/** What happened and when; a click leads to where it happened. */
function Message({ message, onRead, onGo }: { message: MessageItem; onRead(): void; onGo(to: string): void }) {
  const t = useMessageWords()
  const { href } = useClient()
  const { type, title, content, link, at, read } = message
  const body = (
    <>
      <span className="message-line">
        {!read && <span className="message-unread" role="img" aria-label={t('unread')} />}
        <span className="message-type">{type}</span>
        <time dateTime={at.replace(' ', 'T')}>{at.slice(0, 16)}</time>
      </span>
      <span className="message-title">{title}</span>
      {content && <span className="message-content">{content}</span>}
    </>
  )
  if (!link)
    return (
      <button type="button" className="message" data-read={read} onClick={onRead}>
        {body}
      </button>
    )
  const open = (event: MouseEvent) => {
    onRead()
    follow(event, { navigate: onGo }, link)
  }
  return (
    <a className="message" data-read={read} href={href(link)} onClick={open}>
      {body}
    </a>
  )
}
