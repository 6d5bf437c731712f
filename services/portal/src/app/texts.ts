import { dictionary } from '../language/dictionary.js';

export const APP = dictionary({
  skip: ['Skip to the content', '跳到正文'],
  navigation: ['Main', '主导航'],
  orders: ['Orders', '订单'],
  dashboard: ['Dashboard', '仪表盘'],
  import: ['Import', '导入'],
  search: ['Search', '搜索'],
  searchKey: ['Ctrl K', 'Ctrl K'],
  live: {
    on: ['Live', '实时'],
    off: ['Reconnecting', '正在重连'],
    away: ['Offline', '离线'],
    wait: ['Connecting', '正在连接'],
    note: ['Changes by others appear automatically.', '他人的更改会自动显示。'],
  },
  language: ['Language', '语言'],
  theme: ['Theme', '主题'],
  choice: (what: string, name: string) => [`${what}: ${name}`, `${what}：${name}`],
  themes: {
    light: ['Light', '浅色'],
    dark: ['Dark', '深色'],
    auto: ['System', '跟随系统'],
  },
  user: (name: string) => [`Signed in as ${name}`, `当前用户：${name}`],
  switchUser: ['Demo users', '演示用户'],
  preferences: ['Preferences', '偏好设置'],
  policies: ['Approval policies', '审批规则'],
  signOut: ['Sign out', '退出登录'],
  licenses: ['Third-party licenses', '第三方许可'],
  roles: {
    VENDOR: ['Vendor', '供应商'],
    BUYER: ['Buyer', '采购员'],
    ADMIN: ['Administrator', '管理员'],
    VIEWER: ['Viewer', '只读用户'],
  },
  gate: {
    signedOut: {
      title: ['You are signed out', '您已退出登录'],
      text: ['See you soon.', '期待您再次使用。'],
    },
    openAtProvider: [
      'You are signed out only here, and may still be signed in at the identity provider: sign out there too if others use this computer.',
      '您只退出了本系统，在身份提供方处可能仍为登录状态：如果他人也使用此电脑，请在那里也退出登录。',
    ],
    otherUser: {
      title: ['Somebody else signed in', '已有其他用户登录'],
      text: ['This happened in another tab of this browser.', '登录发生在此浏览器的另一个标签页中。'],
    },
    failed: {
      title: ['You cannot sign in right now', '暂时无法登录'],
      text: ['The identity provider or the service does not answer.', '身份提供方或服务没有响应。'],
    },
    noStorage: [
      'This browser blocks the storage that the sign-in needs. Allow this site to store data.',
      '浏览器阻止了登录所需的存储。请允许此网站存储数据。',
    ],
    refused: {
      title: ['The identity provider refused the sign-in', '身份提供方拒绝了登录'],
      text: ['Its answer:', '返回信息：'],
    },
    signIn: ['Sign in', '登录'],
    proceed: ['Continue', '继续'],
  },
});
