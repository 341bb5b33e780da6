/** The demo's publications. Days count from today, negative ones back. */
export interface DemoNotice {
  title: string
  category: 'company' | 'policy' | 'operation' | 'system'
  audience: 'staff' | 'customer' | 'all'
  departments?: string[]
  status: 'unreleased' | 'released' | 'cancelled'
  top?: boolean
  /** When it was written; it was published on the same day. */
  day: number
  /** The label of its cover, in characters that the demo pictures have. */
  cover?: string
  paragraphs: string[]
}

export const notices: readonly DemoNotice[] = [
  {
    title: '关于年度社会保险缴费基数申报的通知',
    category: 'policy',
    audience: 'staff',
    status: 'released',
    top: true,
    day: -2,
    cover: '社保',
    paragraphs: [
      '<strong>申报时间</strong>：即日起至本月25日。',
      '请各客服专员通知所负责的企业客户，提供员工上年度月平均工资，并于20日前收齐盖章件。',
      '逾期未申报的客户，缴费基数按上年度缴费基数的110%确定。',
    ],
  },
  {
    title: '新版业务后台上线说明',
    category: 'system',
    audience: 'all',
    status: 'released',
    top: true,
    day: -5,
    cover: '系统',
    paragraphs: [
      '新版后台已上线：列表支持拼音搜索、列设置和批量操作；表单自动保存冲突提示。',
      '旧版将保留两周，仅供查询。使用中如有问题，请联系信息技术组。',
    ],
  },
  {
    title: '本月对账与开票时间安排',
    category: 'operation',
    audience: 'staff',
    departments: ['客户服务部', '财务部'],
    status: 'released',
    day: -7,
    cover: '对账',
    paragraphs: [
      '10日前完成对账单生成与核对，13日前完成客户确认，28日前完成开票。',
      '如有争议账单，请在系统中登记争议原因，由结算专员跟进。',
    ],
  },
  {
    title: '客户信息安全培训报名',
    category: 'company',
    audience: 'staff',
    status: 'released',
    day: -9,
    cover: '培训',
    paragraphs: [
      '培训内容：个人信息保护、敏感字段查看规范、导出文件管理。',
      '<em>凡有“查看敏感信息”权限的同事必须参加。</em>',
    ],
  },
  {
    title: '华东分公司办公地址变更',
    category: 'company',
    audience: 'staff',
    departments: ['华东分公司'],
    status: 'released',
    day: -14,
    paragraphs: ['自下月1日起，华东分公司迁至示范街88号6楼，来访与收件地址同步变更。'],
  },
  {
    title: '企业客户门户开通在线确认账单',
    category: 'operation',
    audience: 'customer',
    status: 'released',
    day: -18,
    cover: '服务',
    paragraphs: ['即日起，企业客户可在门户中在线确认对账单，确认后即可申请开票。'],
  },
  {
    title: '节假日值班与工资发放安排',
    category: 'company',
    audience: 'all',
    status: 'released',
    day: -33,
    cover: '假期',
    paragraphs: ['假期前一个工作日完成工资发放，假期内由各组按排班值守，紧急事项请联系值班电话。'],
  },
  {
    title: '服务合同续签流程调整（草稿）',
    category: 'operation',
    audience: 'staff',
    status: 'unreleased',
    day: -1,
    paragraphs: ['到期前60天系统自动提醒，续签资料统一通过批量导入提交。'],
  },
  {
    title: '公积金年度调整政策解读（草稿）',
    category: 'policy',
    audience: 'all',
    status: 'unreleased',
    day: 0,
    cover: '政策',
    paragraphs: ['缴存基数上下限按当地公积金管理中心最新通知执行，正式文件发布后更新本文。'],
  },
  {
    title: '年会节目征集（草稿）',
    category: 'company',
    audience: 'staff',
    status: 'unreleased',
    day: -3,
    cover: '年会',
    paragraphs: ['各部门请于月底前报送不少于一个节目。'],
  },
  {
    title: '周末系统维护公告',
    category: 'system',
    audience: 'all',
    status: 'cancelled',
    day: -11,
    cover: '系统',
    paragraphs: ['原定周六22:00至周日6:00的维护因故取消，另行通知。'],
  },
  {
    title: '临时调整收款账户的通知',
    category: 'operation',
    audience: 'staff',
    departments: ['财务部'],
    status: 'cancelled',
    day: -25,
    paragraphs: ['该通知已撤回，请仍使用原收款账户。'],
  },
]

export interface DemoBanner {
  title: string
  type: 'home' | 'portal' | 'app'
  start: number
  end: number
  picture: string
  /** The title of a notice, a route, or a web address. */
  to?: { notice: string } | { route: string } | { url: string }
  disabled?: boolean
}

export const banners: readonly DemoBanner[] = [
  {
    title: '年度社保基数申报进行中',
    type: 'home',
    start: -3,
    end: 20,
    picture: '社保',
    to: { notice: '关于年度社会保险缴费基数申报的通知' },
  },
  { title: '本月对账确认最后两天', type: 'home', start: -6, end: 1, picture: '对账', to: { route: '/customer' } },
  {
    title: '用工合规公开课',
    type: 'home',
    start: -1,
    end: 30,
    picture: '培训',
    to: { url: 'https://training.example.com/compliance' },
  },
  { title: '春季招聘合作计划', type: 'home', start: 7, end: 40, picture: '招聘' },
  {
    title: '假期安排提醒',
    type: 'home',
    start: -45,
    end: -30,
    picture: '假期',
    to: { notice: '节假日值班与工资发放安排' },
  },
  {
    title: '在线确认账单，即刻开票',
    type: 'portal',
    start: -18,
    end: 60,
    picture: '服务',
    to: { url: 'https://portal.example.com/statements' },
  },
  { title: '电子工资条全新上线', type: 'app', start: 3, end: 60, picture: '工资' },
  { title: '客户信息安全月', type: 'portal', start: -20, end: 10, picture: '安全', disabled: true },
]
