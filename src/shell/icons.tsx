import {
  AppstoreOutlined, AuditOutlined, BankOutlined, BarChartOutlined, BellOutlined, CalendarOutlined, CarOutlined, ClockCircleOutlined, ControlOutlined,
  CreditCardOutlined, FileTextOutlined, FireOutlined, FlagOutlined, FolderOutlined, GiftOutlined, HeartOutlined, HomeOutlined, IdcardOutlined,
  KeyOutlined, MailOutlined, MedicineBoxOutlined, MenuOutlined, MoneyCollectOutlined, NotificationOutlined, PayCircleOutlined, PictureOutlined,
  ProfileOutlined, SafetyCertificateOutlined, SafetyOutlined, SettingOutlined, ShopOutlined, StarOutlined, TableOutlined, TagOutlined, TeamOutlined,
  UserOutlined,
} from '@ant-design/icons'
import type { IconName } from '../../engine/schema/model.ts'

const icons: Record<IconName, typeof HomeOutlined> = {
  home: HomeOutlined,
  team: TeamOutlined,
  user: UserOutlined,
  staff: IdcardOutlined,
  contract: FileTextOutlined,
  settlement: AuditOutlined,
  invoice: ProfileOutlined,
  money: PayCircleOutlined,
  salary: MoneyCollectOutlined,
  bank: BankOutlined,
  card: CreditCardOutlined,
  welfare: SafetyOutlined,
  shield: SafetyCertificateOutlined,
  medical: MedicineBoxOutlined,
  house: ShopOutlined,
  fire: FireOutlined,
  heart: HeartOutlined,
  gift: GiftOutlined,
  car: CarOutlined,
  notice: NotificationOutlined,
  bell: BellOutlined,
  mail: MailOutlined,
  banner: PictureOutlined,
  calendar: CalendarOutlined,
  clock: ClockCircleOutlined,
  chart: BarChartOutlined,
  table: TableOutlined,
  folder: FolderOutlined,
  tag: TagOutlined,
  flag: FlagOutlined,
  star: StarOutlined,
  menu: MenuOutlined,
  parameter: ControlOutlined,
  setting: SettingOutlined,
  key: KeyOutlined,
  apps: AppstoreOutlined,
}

/** The icon that a menu entry names; one that has none, or that of another version, gets a neutral one. */
export function MenuIcon({ name }: { name: string }) {
  const Icon = (icons as Partial<Record<string, typeof HomeOutlined>>)[name] ?? AppstoreOutlined
  // Its own name ("team") would be read out with every entry.
  return <Icon aria-hidden />
}
