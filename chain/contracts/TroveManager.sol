// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC721Enumerable, ERC721} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721Enumerable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {PriceFeed} from "./PriceFeed.sol";
import {StabilityPool} from "./StabilityPool.sol";
import {Yu} from "./Yu.sol";

/// Troves of one collateral, each a token of its owner: debt (with the gas compensation in it), collateral, simple interest
/// on the principal.
contract TroveManager is ERC721Enumerable, Ownable {
    uint256 private constant ONE = 1e18;
    uint256 public constant DEBT_GAS_COMPENSATION = 200e18;
    uint256 public constant COLL_GAS_DIVISOR = 200;

    struct Trove {
        uint256 debt;
        uint256 coll;
        uint256 stake;
        uint256 interest;
    }

    struct Parameters {
        uint256 MCR;
        uint256 SCR;
        uint256 CCR;
        uint256 interestRate;
        uint256 maxSystemDebt;
        uint256 SP_YIELD_PCT;
        uint256 liquidationPenaltySP;
        uint256 maxCollGasCompensation;
    }

    IERC20 public immutable collateralToken;
    Yu public immutable debtToken;
    StabilityPool public immutable stabilityPool;
    PriceFeed public immutable priceFeed;
    address public immutable borrowerOperations;
    address public immutable feeReceiver;

    uint256 public MCR;
    uint256 public SCR;
    uint256 public CCR;
    uint256 public interestRate;
    uint256 public maxSystemDebt;
    uint256 public SP_YIELD_PCT;
    uint256 public liquidationPenaltySP;
    uint256 public maxCollGasCompensation;
    bool public paused;

    uint256 public nonce;
    mapping(uint256 => Trove) private troves;
    uint256 public totalActiveDebt;
    uint256 public totalActiveCollateral;
    uint256 public totalActiveInterest;
    /// Interest a unit of debt has gathered since the beginning, 1e18-based, and up to when.
    uint256 public activeInterestIndex;
    uint256 public lastInterestUpdate;
    mapping(uint256 => uint256) private interestSnapshots;
    mapping(address => uint256) public accountCollSurplus;

    event TroveUpdated(uint256 indexed id, address indexed owner, uint256 debt, uint256 coll, uint256 interest);
    event TroveLiquidated(uint256 indexed id, address indexed owner, uint256 debt, uint256 coll);

    constructor(
        IERC20 _collateralToken,
        Yu _debtToken,
        StabilityPool _stabilityPool,
        PriceFeed _priceFeed,
        address _borrowerOperations,
        address _feeReceiver,
        Parameters memory p
    ) ERC721("Yala NFT", "Yala") Ownable(msg.sender) {
        require(p.MCR > ONE && p.SCR >= p.MCR && p.CCR >= p.SCR, "TM: ratios out of order");
        collateralToken = _collateralToken;
        debtToken = _debtToken;
        stabilityPool = _stabilityPool;
        priceFeed = _priceFeed;
        borrowerOperations = _borrowerOperations;
        feeReceiver = _feeReceiver;
        (MCR, SCR, CCR, interestRate) = (p.MCR, p.SCR, p.CCR, p.interestRate);
        (maxSystemDebt, SP_YIELD_PCT) = (p.maxSystemDebt, p.SP_YIELD_PCT);
        (liquidationPenaltySP, maxCollGasCompensation) = (p.liquidationPenaltySP, p.maxCollGasCompensation);
        lastInterestUpdate = block.timestamp;
    }

    modifier onlyBorrowerOperations() {
        require(msg.sender == borrowerOperations, "TM: Caller is not BO");
        _;
    }

    // ── Reading ──

    function fetchPrice() public view returns (uint256) {
        return priceFeed.fetchPrice();
    }

    /// A trove as it is in this moment, its interest up to now.
    function getCurrentTrove(uint256 id) public view returns (Trove memory trove) {
        trove = troves[id];
        trove.interest += ((_currentIndex() - interestSnapshots[id]) * trove.debt) / ONE;
    }

    function getCurrentICR(uint256 id, uint256 price) public view returns (uint256) {
        Trove memory trove = getCurrentTrove(id);
        return _ratio(trove.coll, trove.debt + trove.interest, price);
    }

    function getEntireSystemBalances() public view returns (uint256 coll, uint256 debt, uint256 interest, uint256 price) {
        (coll, debt, price) = (totalActiveCollateral, totalActiveDebt, fetchPrice());
        interest = totalActiveInterest + _pendingInterest();
    }

    function getTCR() external view returns (uint256) {
        (uint256 coll, uint256 debt, uint256 interest, uint256 price) = getEntireSystemBalances();
        return _ratio(coll, debt + interest, price);
    }

    // ── For borrower operations ──

    function openTrove(address owner_, uint256 coll, uint256 debt) external onlyBorrowerOperations returns (uint256 id) {
        require(!paused, "TM: Collateral Paused");
        accrue();
        id = nonce++;
        troves[id] = Trove(debt, coll, coll, 0);
        interestSnapshots[id] = activeInterestIndex;
        totalActiveDebt += debt;
        totalActiveCollateral += coll;
        require(totalActiveDebt <= maxSystemDebt, "TM: Collateral debt limit reached");
        _mint(owner_, id);
        _emit(id);
    }

    /// Changes a trove: collateral in or out, principal up or down, interest paid.
    function adjust(uint256 id, uint256 collIn, uint256 collOut, uint256 debtUp, uint256 debtDown, uint256 interestDown)
        external
        onlyBorrowerOperations
    {
        _settle(id);
        Trove storage trove = troves[id];
        trove.coll = trove.coll + collIn - collOut;
        trove.stake = trove.coll;
        trove.debt = trove.debt + debtUp - debtDown;
        trove.interest -= interestDown;
        totalActiveCollateral = totalActiveCollateral + collIn - collOut;
        totalActiveDebt = totalActiveDebt + debtUp - debtDown;
        totalActiveInterest = totalActiveInterest > interestDown ? totalActiveInterest - interestDown : 0;
        require(debtUp == 0 || totalActiveDebt <= maxSystemDebt, "TM: Collateral debt limit reached");
        _emit(id);
    }

    function close(uint256 id) external onlyBorrowerOperations {
        _settle(id);
        _remove(id);
        _reset();
    }

    function sendCollateral(address to, uint256 amount) external onlyBorrowerOperations {
        collateralToken.transfer(to, amount);
    }

    // ── Liquidation ──

    /// Liquidates those of the troves that are below the minimum ratio, by the stability pool alone.
    function batchLiquidate(uint256[] calldata ids) external {
        accrue();
        uint256 price = fetchPrice();
        uint256 count;
        for (uint256 i; i < ids.length; i++) {
            if (_ownerOf(ids[i]) == address(0) || getCurrentICR(ids[i], price) >= MCR) continue;
            _liquidate(ids[i], price);
            count++;
        }
        require(count > 0, "TM: nothing to liquidate");
        _reset();
    }

    function claimCollSurplus(address account, uint256 amount) external {
        require(msg.sender == account, "TM: not the account");
        accountCollSurplus[account] -= amount;
        collateralToken.transfer(account, amount);
    }

    function _liquidate(uint256 id, uint256 price) private {
        _settle(id);
        Trove memory trove = troves[id];
        address holder = ownerOf(id);
        uint256 entireDebt = trove.debt + trove.interest;
        uint256 collGas = trove.coll / COLL_GAS_DIVISOR;
        if (collGas > maxCollGasCompensation) collGas = maxCollGasCompensation;
        uint256 left = trove.coll - collGas;
        uint256 seized = (entireDebt * (ONE + liquidationPenaltySP)) / price;
        if (seized > left) seized = left;
        _remove(id);
        collateralToken.transfer(address(stabilityPool), seized);
        stabilityPool.offset(address(collateralToken), entireDebt, seized);
        accountCollSurplus[holder] += left - seized;
        collateralToken.transfer(msg.sender, collGas);
        debtToken.returnFromPool(msg.sender, DEBT_GAS_COMPENSATION);
        emit TroveLiquidated(id, holder, entireDebt, trove.coll);
    }

    // ── Interest ──

    /// Brings the interest up to now: YU is minted for it, a share to the stability pool and the rest to the fee receiver.
    function accrue() public {
        uint256 pending = _pendingInterest();
        activeInterestIndex = _currentIndex();
        lastInterestUpdate = block.timestamp;
        if (pending == 0) return;
        totalActiveInterest += pending;
        uint256 share = stabilityPool.getTotalDeposits() >= ONE ? (pending * SP_YIELD_PCT) / ONE : 0;
        if (share > 0) {
            debtToken.mint(address(stabilityPool), share);
            stabilityPool.triggerSPYield(share);
        }
        debtToken.mint(feeReceiver, pending - share);
    }

    function _pendingInterest() private view returns (uint256) {
        return (totalActiveDebt * (block.timestamp - lastInterestUpdate) * interestRate) / 365 days / ONE;
    }

    function _currentIndex() private view returns (uint256) {
        if (totalActiveDebt == 0) return activeInterestIndex;
        return activeInterestIndex + (_pendingInterest() * ONE) / totalActiveDebt;
    }

    // ── The owner's ──

    function setPaused(bool value) external onlyOwner {
        paused = value;
    }

    function setInterestRate(uint256 rate) external onlyOwner {
        accrue();
        interestRate = rate;
    }

    // ── Inside ──

    function _settle(uint256 id) private {
        accrue();
        troves[id].interest = getCurrentTrove(id).interest;
        interestSnapshots[id] = activeInterestIndex;
    }

    function _remove(uint256 id) private {
        Trove memory trove = troves[id];
        totalActiveDebt -= trove.debt;
        totalActiveCollateral -= trove.coll;
        totalActiveInterest = totalActiveInterest > trove.interest ? totalActiveInterest - trove.interest : 0;
        delete troves[id];
        delete interestSnapshots[id];
        emit TroveUpdated(id, ownerOf(id), 0, 0, 0);
        _burn(id);
    }

    /// When the last trove has closed, ids begin anew.
    function _reset() private {
        if (totalSupply() == 0) {
            nonce = 0;
            totalActiveInterest = 0;
        }
    }

    function _emit(uint256 id) private {
        Trove memory trove = troves[id];
        emit TroveUpdated(id, ownerOf(id), trove.debt, trove.coll, trove.interest);
    }

    function _ratio(uint256 coll, uint256 debt, uint256 price) private pure returns (uint256) {
        return debt == 0 ? type(uint256).max : (coll * price) / debt;
    }
}
