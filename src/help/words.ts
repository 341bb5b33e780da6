import { defineWords } from '../../engine/client/index.ts'

const words = defineWords({
  help: { cn: '帮助', en: 'Help' },
  search: { cn: '在本页中查找', en: 'Search this page' },
  found: { cn: '找到{n}节', en: 'Sections found: {n}' },
  nothing: { cn: '没有找到', en: 'Nothing found' },
  contents: { cn: '目录', en: 'Contents' },
  otherLanguage: {
    cn: '本页暂无中文版，以下为英文原文。',
    en: 'This page is not available in English yet; this is the original.',
  },
  open: { cn: '打开此页面', en: 'Open this screen' },
  failed: { cn: '帮助加载失败', en: 'The help could not be loaded' },
})

export const useHelpWords = words.use
