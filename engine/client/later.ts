/** What no screen needs before it is drawn. */
export { App, Drawer, Dropdown, Modal } from 'antd'
