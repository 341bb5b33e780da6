import { textIn } from '../../engine/model/language.ts'
import { language } from './language.ts'

/** The sign-in page's texts are separate from the engine's, so that the page loads nothing else. */
const words = {
  signIn: { cn: '登录', en: 'Log in' },
  username: { cn: '用户名', en: 'Username' },
  password: { cn: '密码', en: 'Password' },
  enterUsername: { cn: '请输入用户名', en: 'Please enter your username' },
  enterPassword: { cn: '请输入密码', en: 'Please enter your password' },
  networkFailure: { cn: '系统错误！请检查网络后重试', en: 'system error! Check the network and try again' },
  language: { cn: '语言', en: 'Language' },
  productLine: {
    cn: '客户、合同、结算、薪资、员工与福利，一处办理',
    en: 'Customers, contracts, settlement, salary, staff and welfare in one place',
  },
  failed: { cn: '加载失败', en: 'Loading failed' },
  retry: { cn: '重试', en: 'Retry' },
  cancel: { cn: '取消', en: 'Cancel' },
  confirmLogout: { cn: '确认退出', en: 'Confirm logout' },
  loggedOut: {
    cn: '您已退出登录，可以取消以停留在当前页面，或重新登录',
    en: 'You have been logged out, you can cancel to stay on this page, or log in again',
  },
  reLogin: { cn: '重新登录', en: 'Re-Login' },
} satisfies Record<string, Record<'cn' | 'en', string>>

/** In the current language. */
export const text = (key: keyof typeof words): string => textIn(words[key], language.get())
