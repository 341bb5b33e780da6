import { Form, Input, Modal } from 'antd'
import type { FormRule } from 'antd'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { busySign, RequestError, useConfirmLeaving, useClient, useNotices } from '../../engine/client/index.ts'
// Not through `index.ts`: the first list would load them too.
import { RequiredMark } from '../../engine/client/RequiredMark.tsx'
import { digest } from '../../engine/client/sign.ts'
import { isStrong } from '../../engine/widgets/password/password.ts'
import { useShellWords } from './words.ts'

interface Passwords {
  OldPassword: string
  NewPassword: string
  re_NewPassword: string
}

/**
 * The two calls of the specification (sections 3, 5 and 7): the form sends digests of the input, the alternate dialog
 * the trimmed input. A digest does not show the length, so a first password, which another user has seen, is changed by
 * the call that the server can check.
 */
const calls = {
  form: {
    path: '/auth/change-password',
    done: 'passwordChanged',
    read: (typed: string) => typed,
    body: (original: string, next: string) => ({ OldPassword: digest(original), NewPassword: digest(next) }),
  },
  dialog: {
    path: '/partner-user/change-password',
    done: 'changed',
    read: (typed: string) => typed.trim(),
    body: (original: string, next: string) => ({ original_password: original, new_password: next }),
  },
} as const

interface ChangePasswordProps {
  /** The password must be changed before anything else: cancelling signs out. */
  forced: boolean
  onClose(): void
  /** The session is over; the sign-in page shows the message. */
  onChanged(message: string): void
}

function useSave(forced: boolean, onChanged: ChangePasswordProps['onChanged']) {
  const t = useShellWords()
  const { request } = useClient()
  const { message } = useNotices()
  const [busy, setBusy] = useState(false)
  const call = calls[forced ? 'dialog' : 'form']
  async function save({ OldPassword, NewPassword }: Passwords) {
    setBusy(true)
    try {
      await request.post(call.path, call.body(call.read(OldPassword), call.read(NewPassword)))
      onChanged(t(call.done))
    } catch (error) {
      if (!(error instanceof RequestError && error.silent)) void message.error((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return { busy, save }
}

const marked = (label: ReactNode, { required }: { required: boolean }) => (
  <>
    {label}
    {required && <RequiredMark />}
  </>
)

/** The password dialog of the user menu. Success ends the session: the server has already ended all others. */
export default function ChangePassword({ forced, onClose, onChanged }: ChangePasswordProps) {
  const t = useShellWords()
  const [form] = Form.useForm<Passwords>()
  const formId = useId()
  const [open, setOpen] = useState(true)
  const call = calls[forced ? 'dialog' : 'form']
  const read = (typed: string | undefined) => call.read(typed ?? '')
  const { busy, save } = useSave(forced, onChanged)
  const leave = useConfirmLeaving()
  const isTyped = () => Object.values(form.getFieldsValue() as object).some(Boolean)

  const required = (text: string): FormRule => ({ required: true, whitespace: true, message: text })
  /** Checks entered values; `required` reports missing ones. */
  const rule =
    (text: string, isGood: (value: string, other: (name: keyof Passwords) => string) => boolean): FormRule =>
    ({ getFieldValue }) => ({
      validator: async (_, typed?: string) => {
        if (read(typed) && !isGood(read(typed), (name) => read(getFieldValue(name) as string | undefined)))
          throw new Error(text)
      },
    })

  return (
    <Modal
      open={open}
      title={t('changePassword')}
      okText={t('confirm')}
      cancelText={t(forced ? 'logOut' : 'cancel')}
      closable={!forced}
      maskClosable={false}
      keyboard={!forced}
      // Enter in any field submits, which a form of several fields does through its own button alone.
      okButtonProps={{ loading: busySign(busy), htmlType: 'submit', form: formId }}
      destroyOnHidden
      onCancel={() => {
        if (forced) onClose()
        else void leave(isTyped(), () => setOpen(false))
      }}
      afterClose={onClose}
      width={440}
    >
      {forced && <p role="status">{t('mustChange')}</p>}
      <Form
        id={formId}
        form={form}
        layout="vertical"
        validateTrigger="onBlur"
        onFinish={save}
        preserve={false}
        requiredMark={marked}
      >
        <Form.Item name="OldPassword" label={t('originalPassword')} rules={[required(t('enterOriginal'))]}>
          <Input.Password autoComplete="current-password" placeholder={t('enterOriginal')} />
        </Form.Item>
        <Form.Item
          name="NewPassword"
          label={t('newPassword')}
          extra={t('passwordRule')}
          rules={[
            required(t('enterNew')),
            rule(t('passwordRule'), isStrong),
            rule(t('samePassword'), (value, other) => value !== other('OldPassword')),
          ]}
        >
          <Input.Password autoComplete="new-password" placeholder={t('enterNew')} />
        </Form.Item>
        <Form.Item
          name="re_NewPassword"
          label={t('confirmPassword')}
          dependencies={['NewPassword']}
          rules={[
            required(t('enterConfirm')),
            rule(t('passwordsDiffer'), (value, other) => value === other('NewPassword')),
          ]}
        >
          <Input.Password autoComplete="new-password" placeholder={t('enterConfirm')} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
