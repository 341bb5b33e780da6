/** What no screen needs before its first data is drawn. */
export { App, Drawer, Dropdown, Modal } from 'antd'
