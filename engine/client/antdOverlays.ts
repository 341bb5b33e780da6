/** antd components that no screen needs until its first data is drawn. */
export { App, Drawer, Dropdown, Modal } from 'antd'
