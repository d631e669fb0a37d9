import { signInErrors } from '../access/sign-in-errors.ts';

/** One text for each error code (api/errors.ts). */
export const errors = {
  ...signInErrors,
  code: {
    ...signInErrors.code,
    LOST: '连接在收到答复前中断，操作可能已完成。请先核对，再重试。',
    PASSWORD_REQUIRED: '请先在“我的账户”中设置您自己的密码。',
    FACTOR_REQUIRED: '请先在“我的账户”中启用双重验证。',
    GRANT_BEYOND_OWN: '不能授予您自己没有的权限。',
    OWN_ACCESS: '不能更改自己的角色或状态，请由同事操作。',
    HOLDS_MORE: '该管理员拥有您没有的权限，您无法更改。',
    CONFLICT: '该记录已被他人修改。',
    DRIFTED: '符合条件的记录已变化，未执行。请重新选择。',
    INCOMPLETE: '该记录缺少必填内容。',
    ADDRESS_TAKEN: '该地址已绑定到其他管理员。',
    LAST_ACCESS: '这样将没有人能管理权限，请先让其他人拥有这些权限。',
    BALANCE_TOO_LOW: ({ addresses }: { addresses?: string }) =>
      addresses ? `余额不足，将低于 0：${addresses}` : '余额不足，将低于 0。',
    NOT_REVERSIBLE: '每条明细只能冲销一次，冲销本身不能再冲销。',
    MONEY_FROZEN: '资金操作已冻结：解除之前不能执行。',
    IN_USE: ({ by }: { by?: string }) => (by ? `仍在使用中：${by}` : '仍在使用中。'),
    ALREADY_IMPORTED: '同一文件已导入过。',
    DEPOSIT_KNOWN: '此输出已登记。',
    MONEY_REFUSED: '资金规则不允许此操作。',
    CRSM_REFUSED: '以目前的状态，链上会拒绝此操作。',
    BUILT_ON: '有记录已被修改，无法撤销。',
    PAYLOAD_TOO_LARGE: '内容过大。',
    UNSUPPORTED_MEDIA_TYPE: '不支持的内容类型。',
    PICTURE_REFUSED: '无法使用该图片：仅支持 5 MB 以内的 JPEG、PNG 或 WebP。',
    PICTURE_QUOTA: ({ pictures, megabytes }: { pictures?: number; megabytes?: number }) => {
      const limits = [pictures ? `${pictures} 张` : '', megabytes ? `${megabytes} MB` : ''].filter(Boolean).join('，');
      return `24 小时内上传的图片将超过每人上限${limits && `（${limits}）`}：请稍后再上传，或填写网络图片的链接。`;
    },
    IDEMPOTENCY_MISMATCH: '该请求与先前的请求不一致。',
  },
};
