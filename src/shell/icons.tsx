import {
  AppstoreOutlined, AuditOutlined, BankOutlined, BarChartOutlined, ControlOutlined, FileTextOutlined, HomeOutlined, IdcardOutlined, MedicineBoxOutlined, MenuOutlined, MoneyCollectOutlined,
  NotificationOutlined, PictureOutlined, SafetyCertificateOutlined, SafetyOutlined, SettingOutlined, ShopOutlined, TeamOutlined, UserOutlined,
} from '@ant-design/icons'

const icons: Record<string, typeof HomeOutlined> = {
  home: HomeOutlined, team: TeamOutlined, contract: FileTextOutlined, settlement: AuditOutlined, salary: MoneyCollectOutlined,
  staff: IdcardOutlined, bank: BankOutlined, welfare: SafetyOutlined, setting: SettingOutlined,
  user: UserOutlined, notice: NotificationOutlined, banner: PictureOutlined, menu: MenuOutlined, parameter: ControlOutlined, chart: BarChartOutlined,
  shield: SafetyCertificateOutlined, medical: MedicineBoxOutlined, house: ShopOutlined,
}

/** The icon that a menu entry names; an unknown name falls back to a neutral one. */
export function MenuIcon({ name }: { name: string }) {
  const Icon = icons[name] ?? AppstoreOutlined
  // Its own name ("team") would be read out with every entry.
  return <Icon aria-hidden />
}
