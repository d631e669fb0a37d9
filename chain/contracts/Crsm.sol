// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Multicall} from "@openzeppelin/contracts/utils/Multicall.sol";
import {BorrowerOperations} from "./BorrowerOperations.sol";
import {CrsmFactory} from "./CrsmFactory.sol";
import {StabilityPool} from "./StabilityPool.sol";
import {TroveManager} from "./TroveManager.sol";
import {Yu} from "./Yu.sol";

/// Keeps one trove healthy: YU waits in the stability pool, and when the trove's ratio has fallen to the trigger anyone may have
/// debt repaid with it, up to a ratio between target and maximum, for a reward. One clone per trove; whoever holds its token owns it.
contract Crsm is Ownable, Multicall {
    using SafeERC20 for IERC20;

    struct State {
        address troveManager;
        address owner;
        uint256 troveId;
        uint256 tokenId;
        uint256 TRGCR;
        uint256 TARCR;
        uint256 MAX_TARCR;
        uint256 DEBT_GAS_COMPENSATION;
        uint256 deposits;
        uint256 yieldGains;
        uint256 debtTokenBalance;
        address[] collateralTokens;
        uint256[] collateralGains;
    }

    /// Less than this left counts as all spent: the yield grows by the second, so a caller cannot name the sum to the last wei.
    uint256 private constant DUST = 1e18;

    CrsmFactory public immutable factory;
    BorrowerOperations public immutable borrowerOperations;
    StabilityPool public immutable stabilityPool;
    Yu public immutable debtToken;
    /// Seconds between committing to a reward and accepting it.
    uint256 public immutable DEBT_GAS_COMPENSATION_DELAY;

    TroveManager public troveManager;
    uint256 public troveId;
    uint256 public tokenId;
    uint256 public TRGCR;
    uint256 public TARCR;
    uint256 public MAX_TARCR;
    uint256 public DEBT_GAS_COMPENSATION;
    uint256 public pendingDebtGasCompensation;
    /// When the pending reward may be accepted, Unix seconds; 0: none is pending.
    uint256 public deadline;

    event CRUpdated(uint256 TRGCR, uint256 TARCR, uint256 MAX_TARCR);
    event DebtGasCompensationCommitted(uint256 debtGasCompensation);
    event DebtGasCompensationAccepted(uint256 debtGasCompensation);
    event Repay(address troveManager, uint256 troveId, uint256 amount);
    event Withdrawn(address token, address to, uint256 amount);

    constructor(
        CrsmFactory _factory,
        BorrowerOperations _borrowerOperations,
        StabilityPool _stabilityPool,
        Yu _debtToken,
        uint256 delay
    ) Ownable(msg.sender) {
        factory = _factory;
        borrowerOperations = _borrowerOperations;
        stabilityPool = _stabilityPool;
        debtToken = _debtToken;
        DEBT_GAS_COMPENSATION_DELAY = delay;
    }

    modifier onlyFactory() {
        require(msg.sender == address(factory), "CRSM: not the factory");
        _;
    }

    /// With the interest of this moment: what the reader shows as yield is then there, and stays this contract's.
    modifier upToNow() {
        troveManager.accrue();
        _;
    }

    // ── Whose it is ──

    function owner() public view override returns (address) {
        return address(troveManager) == address(0) ? super.owner() : factory.ownerOf(tokenId);
    }

    /// The token is what is handed over.
    function _transferOwnership(address to) internal override {
        require(address(troveManager) == address(0), "CRSM: transfer the token");
        super._transferOwnership(to);
    }

    function setParameters(
        address _troveManager,
        uint256 _troveId,
        uint256 _tokenId,
        uint256 _TRGCR,
        uint256 _TARCR,
        uint256 _MAX_TARCR,
        uint256 _DEBT_GAS_COMPENSATION
    ) external onlyFactory {
        require(address(troveManager) == address(0), "CRSM: already set");
        (troveManager, troveId, tokenId) = (TroveManager(_troveManager), _troveId, _tokenId);
        DEBT_GAS_COMPENSATION = _DEBT_GAS_COMPENSATION;
        _setRatios(_TRGCR, _TARCR, _MAX_TARCR);
    }

    // ── Reading ──

    function getState() external view returns (State memory state) {
        (address[] memory tokens, uint256[] memory gains) = stabilityPool.getDepositorCollateralGain(address(this));
        state = State({
            troveManager: address(troveManager),
            owner: owner(),
            troveId: troveId,
            tokenId: tokenId,
            TRGCR: TRGCR,
            TARCR: TARCR,
            MAX_TARCR: MAX_TARCR,
            DEBT_GAS_COMPENSATION: DEBT_GAS_COMPENSATION,
            deposits: stabilityPool.getCompoundedDebtDeposit(address(this)),
            yieldGains: stabilityPool.getYieldGains(address(this)),
            debtTokenBalance: debtToken.balanceOf(address(this)),
            collateralTokens: tokens,
            collateralGains: gains
        });
    }

    // ── The pool ──

    /// Puts idle YU of this contract into the pool; the factory's deposit brings it.
    function provideToSP(uint256 amount) external upToNow {
        require(msg.sender == address(factory) || msg.sender == owner(), "CRSM: neither factory nor owner");
        stabilityPool.provideToSP(amount);
    }

    /// The pool gives at most what is in it, and nothing in the block of a deposit.
    function withdrawFromSP(address to, uint256 _amount) external onlyOwner upToNow {
        uint256 taken = _fromPool(_amount);
        IERC20(address(debtToken)).safeTransfer(to, taken);
        emit Withdrawn(address(debtToken), to, taken);
    }

    function claimYield(address to) external onlyOwner upToNow {
        stabilityPool.claimYield(to);
    }

    function claimAllCollateralGains(address to) external onlyOwner {
        stabilityPool.claimAllCollateralGains(to);
    }

    /// Anything that lies idle here.
    function withdraw(address token, address to, uint256 amount) external onlyOwner {
        IERC20(token).safeTransfer(to, amount);
        emit Withdrawn(token, to, amount);
    }

    /// Empties it to `to` and burns the token.
    function destroy(address to) external onlyOwner upToNow {
        if (stabilityPool.getCompoundedDebtDeposit(address(this)) > 0) _fromPool(type(uint256).max);
        stabilityPool.claimAllCollateralGains(to);
        stabilityPool.claimYield(address(this));
        IERC20(address(debtToken)).safeTransfer(to, debtToken.balanceOf(address(this)));
        factory.burn(tokenId);
    }

    // ── What it is told ──

    function updateCR(uint256 _TRGCR, uint256 _TARCR, uint256 _MAX_TARCR) external onlyOwner {
        _setRatios(_TRGCR, _TARCR, _MAX_TARCR);
    }

    function commitDebtGasCompensation(uint256 _debtGasCompensation) external onlyOwner {
        pendingDebtGasCompensation = _debtGasCompensation;
        deadline = block.timestamp + DEBT_GAS_COMPENSATION_DELAY;
        emit DebtGasCompensationCommitted(_debtGasCompensation);
    }

    function acceptDebtGasCompensation() external onlyOwner {
        require(deadline != 0, "CRSM: No debt gas compensation committed");
        require(block.timestamp >= deadline, "CRSM: Deadline not passed");
        DEBT_GAS_COMPENSATION = pendingDebtGasCompensation;
        (pendingDebtGasCompensation, deadline) = (0, 0);
        emit DebtGasCompensationAccepted(DEBT_GAS_COMPENSATION);
    }

    // ── The keeper's ──

    /// Repays debt of the trove once its ratio is at the trigger or below, for the reward. Idle YU goes first, then the yield,
    /// then the deposit. With all of it spent the target need not be reached.
    function repay(uint256 amount) external upToNow {
        TroveManager.Trove memory trove = troveManager.getCurrentTrove(troveId);
        uint256 entireDebt = trove.debt + trove.interest;
        uint256 floor = borrowerOperations.minNetDebt() + borrowerOperations.DEBT_GAS_COMPENSATION();
        require(entireDebt > floor && amount <= entireDebt - floor, "CRSM: Too much debt to repay");
        uint256 price = troveManager.fetchPrice();
        require((trove.coll * price) / entireDebt <= TRGCR, "CRSM: ICR must be below TRGCR");
        uint256 left = _gather(amount + DEBT_GAS_COMPENSATION);
        borrowerOperations.repay(troveManager, troveId, amount);
        uint256 ratio = (trove.coll * price) / (entireDebt - amount);
        require(ratio >= TARCR || left < DUST, "CRSM: ICR must reach TARCR");
        require(ratio <= MAX_TARCR, "CRSM: ICR must not pass MAX_TARCR");
        IERC20(address(debtToken)).safeTransfer(msg.sender, DEBT_GAS_COMPENSATION);
        emit Repay(address(troveManager), troveId, amount);
    }

    // ── Inside ──

    /// Brings together `need` of YU here; answers what is left beyond it.
    function _gather(uint256 need) private returns (uint256) {
        uint256 idle = debtToken.balanceOf(address(this));
        uint256 earned = stabilityPool.getYieldGains(address(this));
        uint256 deposits = stabilityPool.getCompoundedDebtDeposit(address(this));
        require(need <= idle + earned + deposits, "CRSM: Insufficient deposits");
        if (need > idle) stabilityPool.claimYield(address(this));
        if (need > idle + earned) _fromPool(need - idle - earned);
        return idle + earned + deposits - need;
    }

    function _fromPool(uint256 amount) private returns (uint256) {
        uint256 before = debtToken.balanceOf(address(this));
        stabilityPool.withdrawFromSP(amount);
        return debtToken.balanceOf(address(this)) - before;
    }

    function _setRatios(uint256 _TRGCR, uint256 _TARCR, uint256 _MAX_TARCR) private {
        require(
            troveManager.MCR() < _TRGCR && _TRGCR < _TARCR && _TARCR <= _MAX_TARCR,
            "CRSM: MCR < TRGCR < TARCR <= MAX_TARCR"
        );
        (TRGCR, TARCR, MAX_TARCR) = (_TRGCR, _TARCR, _MAX_TARCR);
        emit CRUpdated(_TRGCR, _TARCR, _MAX_TARCR);
    }
}
