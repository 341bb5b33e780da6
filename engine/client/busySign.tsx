import { LoadingOutlined } from '@ant-design/icons'

/**
 * The `loading` prop of a button. antd's own icon becomes part of the button's name, and stays if its exit animation is
 * cut short.
 */
export const busySign = (busy: boolean) => busy && { icon: <LoadingOutlined spin aria-hidden /> }
