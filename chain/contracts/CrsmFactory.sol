// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ERC721Enumerable, ERC721} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721Enumerable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {BorrowerOperations} from "./BorrowerOperations.sol";
import {Crsm} from "./Crsm.sol";
import {TroveManager} from "./TroveManager.sol";
import {Yu} from "./Yu.sol";

/// Makes CRSMs, each a token of its owner, and takes in YU for them.
contract CrsmFactory is ERC721Enumerable, Ownable {
    using SafeERC20 for IERC20;

    BorrowerOperations public immutable borrowerOperations;
    Yu public immutable debtToken;
    address public crsmImpl;
    mapping(uint256 => address) public crsms;
    mapping(address => bool) private isCrsm;
    uint256 private nextId;

    event NewCRSMDeployment(address troveManager, uint256 troveId, uint256 tokenId, address crsm);
    event Deposited(address from, address crsm, uint256 amount);

    constructor(BorrowerOperations _borrowerOperations, Yu _debtToken) ERC721("CRSM", "CRSM") Ownable(msg.sender) {
        borrowerOperations = _borrowerOperations;
        debtToken = _debtToken;
    }

    function setCRSMImpl(address impl) external onlyOwner {
        crsmImpl = impl;
    }

    function createNewCRSM(
        address troveManager,
        uint256 troveId,
        uint256 _TRGCR,
        uint256 _TARCR,
        uint256 _MAX_TARCR,
        uint256 _debtGasCompensation,
        uint256 _amount
    ) external returns (address crsm) {
        require(borrowerOperations.isTroveManager(TroveManager(troveManager)), "CRSMFactory: nonexistent TM");
        require(TroveManager(troveManager).ownerOf(troveId) == msg.sender, "CRSMFactory: not trove owner");
        uint256 tokenId = nextId++;
        crsm = Clones.cloneDeterministic(crsmImpl, keccak256(abi.encode(troveManager, troveId, msg.sender, tokenId)));
        crsms[tokenId] = crsm;
        isCrsm[crsm] = true;
        _mint(msg.sender, tokenId);
        Crsm(crsm).setParameters(troveManager, troveId, tokenId, _TRGCR, _TARCR, _MAX_TARCR, _debtGasCompensation);
        emit NewCRSMDeployment(troveManager, troveId, tokenId, crsm);
        if (_amount > 0) _deposit(crsm, _amount);
    }

    /// Needs an allowance of YU to this contract. Anyone may pay in for any CRSM.
    function deposit(address crsm, uint256 amount) external {
        require(isCrsm[crsm], "CRSMFactory: nonexistent CRSM");
        _deposit(crsm, amount);
    }

    /// By the CRSM itself, when it is destroyed.
    function burn(uint256 tokenId) external {
        require(crsms[tokenId] == msg.sender, "CRSMFactory: not the CRSM");
        isCrsm[msg.sender] = false;
        delete crsms[tokenId];
        _burn(tokenId);
    }

    function _deposit(address crsm, uint256 amount) private {
        IERC20(address(debtToken)).safeTransferFrom(msg.sender, crsm, amount);
        Crsm(crsm).provideToSP(amount);
        emit Deposited(msg.sender, crsm, amount);
    }
}
