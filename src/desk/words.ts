import { defineWords } from '../../engine/client/index.ts'

/** The texts of the analyst's and the developer's desk. */
const words = defineWords({
  brokenSchemas: { cn: '配置文件有{n}处错误', en: 'The schema files have issues: {n}' },
  refusedSchemas: { cn: '配置文件未能生效', en: 'The schema files were not taken over' },
  lastGood: { cn: '页面仍按上一次正确的配置显示', en: 'The page goes on with what they last said rightly' },
  openFile: { cn: '打开{place}', en: 'Open {place}' },
  closeIssues: { cn: '收起错误', en: 'Close the issues' },
  reload: { cn: '重新读取配置', en: 'Reload the schema files' },
  reloaded: { cn: '配置已重新读取', en: 'The schema files were read again' },
})

export const useDeskWords = words.use
