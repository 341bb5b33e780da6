import type { RecordData } from '../../../engine/model/model.ts'

const close = '<p>特此证明。</p><p></p><p>{{agency.name}}</p><p>{{proof.issueDate}}</p>'
const contact = '<p>联系电话：{{agency.contactPhone}}　地址：{{agency.address}}</p>'
const opening = '<p>兹证明 <strong>{{person.name}}</strong>（{{person.gender}}，证件号码 {{person.idNumber}}）'

/** One for each type of letter, and one in two languages. */
export const letterTemplates: readonly RecordData[] = [
  {
    name: '在职证明（通用）',
    proofType: 'onJob',
    language: 'zh',
    content: `<h2>在职证明</h2>${opening}自 {{person.entryDate}} 起由我司派驻 {{customer.name}}，任 {{person.position}} 一职，至今在职。</p><p>本证明仅用于{{proof.purpose}}。</p>${close}${contact}`,
  },
  {
    name: '收入证明（通用）',
    proofType: 'income',
    language: 'zh',
    sealType: 'company',
    content: `<h2>收入证明</h2>${opening}自 {{person.entryDate}} 起在我司任职，岗位为 {{person.position}}。</p><p>近期月均税前收入为人民币 {{proof.averageIncome}} 元（大写：{{proof.averageIncomeUpper}}），折合年收入 {{proof.annualIncome}} 元。</p><p>本证明仅用于{{proof.purpose}}，不作为担保。</p>${close}${contact}`,
  },
  {
    name: '离职证明（通用）',
    proofType: 'leave',
    language: 'zh',
    content: `<h2>离职证明</h2>${opening}于 {{person.entryDate}} 至 {{person.leaveDate}} 期间在我司任 {{person.position}} 一职，因{{person.leaveReason}}离职，已办理完毕交接手续。</p>${close}`,
  },
  {
    name: 'Visa letter',
    proofType: 'visa',
    language: 'en',
    sealType: 'company',
    content:
      '<h2>Letter of employment</h2><p>To whom it may concern</p><p>This is to certify that <strong>{{person.name}}</strong>, ID number {{person.idNumber}}, has been employed by us as {{person.position}} with {{customer.name}} since {{person.entryDate}}.</p><p>The leave for the journey has been granted and the post will be kept. This letter is issued for the purpose of: {{proof.purpose}}.</p><p></p><p>{{agency.name}}</p><p>{{proof.issueDate}}</p><p>Phone: {{agency.contactPhone}}</p>',
  },
  {
    name: '实习证明',
    proofType: 'intern',
    language: 'zh',
    paper: 'a5',
    needApproval: false,
    content: `<h2>实习证明</h2>${opening}自 {{person.entryDate}} 起在 {{customer.name}} 实习，岗位为 {{person.position}}，表现良好。</p>${close}`,
  },
  {
    name: '公积金提取证明',
    proofType: 'fundWithdraw',
    language: 'zh',
    content: `<h2>公积金提取证明</h2>${opening}系我司员工，现因{{proof.purpose}}申请提取住房公积金，情况属实，请予以办理。</p>${close}`,
  },
  {
    name: '其他证明',
    proofType: 'other',
    language: 'zh',
    paper: 'a5',
    needApproval: false,
    content: `<h2>证明</h2>${opening}与我司建立劳动关系，任 {{person.position}} 一职。</p><p>用途：{{proof.purpose}}。</p>${close}`,
  },
  {
    name: '在职证明（中英双语）',
    proofType: 'onJob',
    language: 'both',
    sealType: 'company',
    content: `<h2>在职证明 Employment letter</h2>${opening}自 {{person.entryDate}} 起任 {{person.position}} 一职，至今在职。</p><p>This is to certify that {{person.name}} has been employed as {{person.position}} since {{person.entryDate}}.</p>${close}`,
  },
]
