import type { Random } from './random.ts'

/** Names that belong to nobody (domain dictionary, 8.3). */

const surnames = [...'王李张刘陈杨黄赵周吴徐孙马朱胡林郭何高罗']
const givenNames = [...'晓思文佳子雨欣明志建海春丽秀国伟静涛婷宁演示']
export const brands: readonly (readonly [string, string])[] = [
  ['启澜', 'qilan'],
  ['云屿', 'yunyu'],
  ['拓岚', 'tuolan'],
  ['衡川', 'hengchuan'],
  ['沐禾', 'muhe'],
  ['铭野', 'mingye'],
  ['朗浔', 'langxun'],
  ['栖原', 'qiyuan'],
  ['澄砚', 'chengyan'],
  ['驰野', 'chiye'],
  ['若谷', 'ruogu'],
  ['霁川', 'jichuan'],
  ['沃町', 'woting'],
  ['凌汐', 'lingxi'],
  ['璟田', 'jingtian'],
]
export const trades: readonly (readonly [string, string])[] = [
  ['机械制造', 'manufacturing'],
  ['电子科技', 'manufacturing'],
  ['物流', 'logistics'],
  ['餐饮管理', 'catering'],
  ['物业服务', 'realEstate'],
  ['建筑工程', 'construction'],
  ['信息技术', 'it'],
  ['商贸', 'wholesaleRetail'],
  ['医疗科技', 'health'],
  ['教育咨询', 'education'],
]
export const banks = ['北辰示范银行', '南屏示范银行', '东澜示范银行', '西岭示范银行', '中衡示范银行']
const streets = ['演示路', '示范街', '样例大道', '测试巷']
/** City code → its name, and a district of it with the code of the region records. */
export const cities: readonly { code: string; name: string; district: string; region: string }[] = [
  { code: '110100', name: '北京市', district: '海淀区', region: '110108' },
  { code: '120100', name: '天津市', district: '南开区', region: '120104' },
  { code: '310100', name: '上海市', district: '徐汇区', region: '310104' },
  { code: '320100', name: '南京市', district: '鼓楼区', region: '320106' },
  { code: '320500', name: '苏州市', district: '吴中区', region: '320506' },
  { code: '330100', name: '杭州市', district: '西湖区', region: '330106' },
  { code: '420100', name: '武汉市', district: '武昌区', region: '420106' },
  { code: '440100', name: '广州市', district: '天河区', region: '440106' },
  { code: '440300', name: '深圳市', district: '南山区', region: '440305' },
  { code: '500100', name: '重庆市', district: '渝中区', region: '500103' },
  { code: '510100', name: '成都市', district: '武侯区', region: '510107' },
  { code: '610100', name: '西安市', district: '雁塔区', region: '610113' },
]

export const personName = (random: Random): string =>
  random.pickFalling(surnames) + random.some(givenNames, random.chance(0.7) ? 2 : 1).join('')
/** Names of some ethnic groups are written with it. */
export const middleDot = (random: Random): string =>
  `${random.pick(['阿依', '买买提', '古丽', '迪力'])}·${random.pick(['艾山', '吐尔逊', '热合曼', '卡德尔'])}`
export const streetAddress = (random: Random): string => `${random.pick(streets)}${random.integer(1, 399)}号`
export const bankBranch = (random: Random, city: string): string =>
  `${random.pick(banks)}${city.replace('市', '')}${random.pick(['演示', '示范', '样例'])}${random.pick(['支行', '分行营业部'])}`
/** Addresses that are reserved for examples. */
export const networkAddress = (random: Random): string =>
  `${random.pick(['192.0.2', '198.51.100'])}.${random.integer(1, 254)}`
