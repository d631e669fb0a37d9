import { signInErrors } from '../access/sign-in-errors.ts';

/** Keys are the error codes of api/errors.ts. */
export const errors = {
  ...signInErrors,
  taproot: '您当前的地址不是 taproot 地址，请切换到 taproot 地址。',
  setUpFactor: '设置身份验证器应用',
  vouch: '您的双重验证尚未经管理员确认，请向权限管理员索取登记码。',
  useEnrollmentCode: '使用登记码',
  changed: '该记录已有其他人的新修改：{{changes}}。请核对后重试。',
  code: {
    ...signInErrors.code,
    NO_ACCOUNT: '未检测到账户',
    CODE_WRONG: '验证码不正确或已失效，请重新获取。',
    FACTOR_WRONG: '双重验证未通过，请重新输入。',
    FACTOR_STALE: '请先完成身份验证。',
    IN_PROGRESS: '相同的操作正在进行，请稍候。',
    ATTEMPT_GONE: '登录超时，请重新登录。',
    LINK_GONE: '该链接已使用或已失效，请重新获取。',
    LOST: '连接中断，未收到服务器回复，操作可能已完成。请先核对，再重试。',
    PASSWORD_REQUIRED: '请先在“我的账户”中设置您自己的密码。',
    FACTOR_REQUIRED: '请先在“我的账户”中启用双重验证。',
    SSO_FAILED: '单点登录未成功，请重新登录。',
    SSO_OFF: '此服务器未配置单点登录，请使用其他方式登录，或联系系统管理员。',
    PROVIDER_REQUIRED: ({ name }: { name: string }) => `必须使用 ${name} 登录。如需解除关联，请联系权限管理员。`,
    LAST_SIGN_IN_METHOD: '解除后将无法登录，请先绑定钱包。',
    NETWORK: '您的角色在当前网络不可用，请切换到角色允许的网络，或联系管理员。',
    NOT_HERE: '该操作只能在浏览器中执行，请到管理后台操作。',
    NOT_FOR_SERVICES: '服务账号不能执行该操作，请登录管理后台。',
    VIEW_ONLY: '视角查看中不能修改。请先退出视角。',
    GRANT_BEYOND_OWN: '不能授予您自己没有的权限。',
    OWN_ACCESS: '不能修改自己的角色或状态，也不能放宽自己拥有的角色，请联系其他管理员。',
    HOLDS_MORE: '该管理员拥有您没有的权限，您不能修改该账户。',
    CONFLICT: '该记录已有其他人的新修改，请核对后重新提交。',
    DRIFTED: '符合条件的记录已变化，操作未执行。请重新选择。',
    INCOMPLETE: '该记录缺少必填项，请先编辑补全。',
    ADDRESS_TAKEN: '该地址已绑定其他管理员，请使用其他地址。',
    GUARDED_ROLE: ({ name }: { name: string }) =>
      `含托管、CRSM、权限或审计权限的角色不能由身份提供商（${name}）授予，请使用不含这些权限的角色。`,
    IDP_MANAGED: ({ name }: { name: string }) => `该项由身份提供商（${name}）管理，请到身份提供商修改。`,
    LAST_ACCESS: '系统至少需保留一名可管理权限的管理员，请先将权限授予其他人。',
    EXPORT_FAILED: ({ problem }: { problem?: string }) =>
      problem === 'tooLarge'
        ? '文件超过 256 MB，请缩小筛选范围后重新导出。'
        : problem === 'forbidden'
          ? '您已没有相应权限，导出已停止，请联系管理员。'
          : '导出多次中断，请重新导出。',
    EXPORT_LIMIT: ({ limit }: { limit?: number }) => `已有 ${limit ?? 2} 个导出正在进行，请等待完成或停止其中一个。`,
    BALANCE_TOO_LOW: ({ addresses }: { addresses?: string }) =>
      addresses ? `积分不足，以下地址的余额将低于 0：${addresses}` : '积分不足，操作后余额将低于 0。',
    NOT_REVERSIBLE: '每条明细只能冲销一次，冲销明细不能再冲销。',
    MONEY_FROZEN: '资金操作已暂停，恢复前无法执行。',
    IN_USE: ({ by }: { by?: string }) =>
      by ? `以下管理员仍在使用该角色，请先移除这些管理员的该角色：${by}` : '仍有管理员使用该角色，请先移除这些管理员的该角色。',
    ALREADY_IMPORTED: '该文件已导入过，请刷新后确认是否需要再次导入。',
    DEPOSIT_KNOWN: '该笔交易输出（存款哈希 + 输出序号）已登记，请勿重复登记。',
    MONEY_REFUSED: '不符合生效中的签署规则，请查看资金授权日志中的规则。',
    CRSM_REFUSED: '按当前链上状态，此操作会失败，交易未提交。请刷新后重试。',
    JOIN_REFUSED: '新闻已有变动，不能合并或撤销合并。请刷新列表后核对。',
    BUILT_ON: '部分记录已有新的修改，无法撤销。',
    PAYLOAD_TOO_LARGE: '内容过大，请精简后重试。',
    UNSUPPORTED_MEDIA_TYPE: '不支持该文件类型，请更换文件。',
    PICTURE_REFUSED: '无法使用该图片，仅支持 5 MB 以内的 JPEG、PNG 或 WebP。',
    PICTURE_QUOTA: ({ pictures, megabytes }: { pictures?: number; megabytes?: number }) => {
      const limits = [pictures ? `${pictures} 张` : '', megabytes ? `${megabytes} MB` : ''].filter(Boolean).join('，');
      return `已达到每人 24 小时的图片上传上限${limits && `（${limits}）`}。请稍后再上传，或填写图片链接。`;
    },
    IDEMPOTENCY_MISMATCH: '请求冲突，请刷新页面后重新提交。',
  },
};
