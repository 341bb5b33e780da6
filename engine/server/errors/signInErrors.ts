import type { Label } from '../../model/model.ts'

/** Refusals about signing in, sessions and passwords. */
export const signInErrors = {
  signedOut: {
    status: 401,
    message: { cn: '登录已失效，请重新登录', en: 'Your session has ended, please log in again' },
  },
  expired: {
    status: 401,
    message: { cn: '登录已过期，请重新登录', en: 'Your session has expired, please log in again' },
  },
  wrongPassword: { status: 422, message: { cn: '用户名或密码错误', en: 'Wrong username or password' } },
  userDisabled: {
    status: 403,
    message: { cn: '该用户已停用，请联系管理员', en: 'This user is disabled, please contact the administrator' },
  },
  userWithoutRole: {
    status: 403,
    message: {
      cn: '该用户没有可用的角色，请联系管理员',
      en: 'This user has no enabled role, please contact the administrator',
    },
  },
  tooManySignIns: {
    status: 429,
    message: {
      cn: '登录失败次数过多，请{minutes}分钟后再试',
      en: 'Too many failed sign-ins, please try again in {minutes} {minutes|minute|minutes}',
    },
  },
  tooManyGuesses: {
    status: 429,
    message: {
      cn: '密码错误次数过多，请{minutes}分钟后再试',
      en: 'Too many wrong passwords, please try again in {minutes} {minutes|minute|minutes}',
    },
  },
  mustChangePassword: { status: 403, message: { cn: '请先修改密码', en: 'Please change the password first' } },
  passwordRule: {
    status: 422,
    message: {
      cn: '密码须为8至20位，且至少包含字母、数字、符号中的两种',
      en: 'A password must have 8 to 20 characters, including at least two of letters, digits and symbols',
    },
  },
  holdsMore: {
    status: 403,
    message: {
      cn: '该用户的权限或数据范围超出您自己的，不能重置其密码',
      en: 'This user has broader permissions or a broader data scope than you, so you cannot reset their password',
    },
  },
  passwordCommon: {
    status: 422,
    message: {
      cn: '该密码为空、过于常见或与登录名、姓名相同，请换一个',
      en: 'This password is empty, too common, or your own name: please choose another',
    },
  },
  passwordLapsed: {
    status: 403,
    message: {
      cn: '初始密码已过期，请联系管理员重新设置',
      en: 'Your initial password has expired, please ask an administrator for a new one',
    },
  },
  passwordSame: {
    status: 422,
    message: { cn: '新密码不能与原始密码相同', en: 'The new password must differ from the original' },
  },
  passwordOriginal: { status: 422, message: { cn: '原始密码错误', en: 'The original password is wrong' } },
} satisfies Record<string, { status: number; message: Label }>
