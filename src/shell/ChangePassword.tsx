import { App, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useClient } from '../../engine/client/index.ts'
import { useShellWords } from './words.ts'

interface Passwords { original_password: string; new_password: string; re_NewPassword: string }

interface ChangePasswordProps {
  /** The password must be changed before anything else: cancelling signs out. */
  forced: boolean
  onClose(): void
  onChanged(): void
}

/** The password dialog of the user menu. Success ends the session: the server has ended all others already. */
export default function ChangePassword({ forced, onClose, onChanged }: ChangePasswordProps) {
  const t = useShellWords()
  const { request } = useClient()
  const { message } = App.useApp()
  const [form] = Form.useForm<Passwords>()
  const [busy, setBusy] = useState(false)

  async function save(values: Passwords) {
    setBusy(true)
    try {
      await request.post('/partner-user/change-password', { original_password: values.original_password.trim(), new_password: values.new_password.trim() })
      message.success(t('passwordChanged'))
      onChanged()
    } catch (error) {
      message.error((error as Error).message)
    } finally {
      setBusy(false)
    }
  }

  const rule = (value: string | undefined) => {
    const text = (value ?? '').trim()
    const kinds = [/[A-Za-z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(text)).length
    return text.length >= 8 && text.length <= 20 && kinds >= 2
  }

  return (
    <Modal
      open title={t('changePassword')} okText={t('confirm')} cancelText={t(forced ? 'logOut' : 'cancel')} closable={!forced} maskClosable={!forced} keyboard={!forced} confirmLoading={busy} destroyOnHidden
      onCancel={onClose} onOk={() => form.submit()} width={440}
    >
      {forced && <p role="status">{t('mustChange')}</p>}
      <Form form={form} layout="vertical" validateTrigger="onBlur" onFinish={save} preserve={false} requiredMark>
        <Form.Item name="original_password" label={t('originalPassword')} rules={[{ required: true, whitespace: true, message: t('enterOriginal') }]}>
          <Input.Password autoComplete="current-password" placeholder={t('enterOriginal')} />
        </Form.Item>
        <Form.Item
          name="new_password" label={t('newPassword')} extra={t('passwordRule')}
          rules={[
            { required: true, whitespace: true, message: t('enterNew') },
            { validator: async (_, value?: string) => { if (value?.trim() && !rule(value)) throw new Error(t('passwordRule')) } },
            ({ getFieldValue }) => ({ validator: async (_, value?: string) => { if (value?.trim() && value.trim() === String(getFieldValue('original_password') ?? '').trim()) throw new Error(t('samePassword')) } }),
          ]}
        >
          <Input.Password autoComplete="new-password" placeholder={t('enterNew')} />
        </Form.Item>
        <Form.Item
          name="re_NewPassword" label={t('confirmPassword')} dependencies={['new_password']}
          rules={[
            { required: true, whitespace: true, message: t('enterConfirm') },
            ({ getFieldValue }) => ({ validator: async (_, value?: string) => { if (value?.trim() && value.trim() !== String(getFieldValue('new_password') ?? '').trim()) throw new Error(t('passwordsDiffer')) } }),
          ]}
        >
          <Input.Password autoComplete="new-password" placeholder={t('enterConfirm')} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
