import { LoadingOutlined } from '@ant-design/icons'

/**
 * The `loading` of a button. antd's own sign becomes part of the button's name, and stays there when its way out is cut
 * short.
 */
export const busySign = (busy: boolean) => busy && { icon: <LoadingOutlined spin aria-hidden /> }
