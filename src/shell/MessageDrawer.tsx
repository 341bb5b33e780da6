import { BellOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import type { MouseEvent } from 'react'
import { Drawer, busySign, follow, pressable, useClient } from '../../engine/client/index.ts'
import type { MessageItem } from '../../engine/model/model.ts'
import { constants } from './constants.ts'
import { useGo } from './GoProvider.tsx'
import { unreadKey, useMessages, useMessageWords } from './useMessages.ts'
import './messages.css'

/** Other users send messages too, so they are polled at this interval, in milliseconds. */
const pollInterval = 60_000

/** The bell in the header with the number of unread messages, and the drawer that it opens. */
export function MessageButton({ isDrawn }: { isDrawn: boolean }) {
  const t = useMessageWords()
  const { request, user } = useClient()
  const [open, setOpen] = useState(false)
  const { data } = useQuery({
    queryKey: unreadKey(user.id),
    queryFn: () => request.get<{ unread: number }>('/messages/unread'),
    enabled: isDrawn,
    refetchInterval: pollInterval,
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

/** The user's own messages, newest first. */
function Messages({ unread, onLeave }: { unread: number; onLeave(): void }) {
  const t = useMessageWords()
  const go = useGo()
  const { query, messages, mark, read } = useMessages()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query

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
        <Button size="small" {...pressable(unread > 0, () => void mark('/messages/read-all', {}, () => true))}>
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
